/** Lays a network out beside the page, and sends positions while it works. */
import iterate from "graphology-layout-forceatlas2/iterate.js";
import { edgeMatrix, layoutSettings, nodeMatrix, numIterations, positionsOf, startPositions } from "../logic/layout";

export interface LayoutRequest {
  degree: number[];
  edges: number[];
  /** Whether to send positions before the last ones. */
  live: boolean;
}

export interface LayoutAnswer {
  positions: Float32Array;
  done: boolean;
}

const SECONDS = 20;
const BETWEEN_MS = 120;

function answer(nodes: Float32Array, done: boolean): void {
  const positions = positionsOf(nodes);
  postMessage({ positions, done } satisfies LayoutAnswer, { transfer: [positions.buffer] });
}

addEventListener("message", ({ data }: MessageEvent<LayoutRequest>) => {
  const { degree, edges, live } = data;
  const nodes = nodeMatrix(degree, startPositions(degree));
  const links = edgeMatrix(edges);
  const settings = layoutSettings(degree.length);
  const stop = performance.now() + 1000 * SECONDS;
  let sent = performance.now();
  for (let i = 0; i < numIterations(degree.length) && performance.now() < stop; i++) {
    iterate(settings, nodes, links);
    if (live && performance.now() - sent > BETWEEN_MS) {
      answer(nodes, false);
      sent = performance.now();
    }
  }
  answer(nodes, true);
});
