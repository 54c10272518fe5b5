/** The drawing: its code and data are loaded when the list is painted. */
import { effect } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import type { Drawing } from "../drawing/draw";
import { count } from "../logic/format";
import { chosenLink } from "../state/explanations";
import { choose, list } from "../state/list";
import { model, nameOf } from "../state/model";
import { go, isDark, isNarrow, prefersStill } from "../state/navigation";
import { drawing, learnNames, names, pairNames, scene } from "../state/scene";
import { Fit, Minus, Plus } from "./icons";

type State = "waiting" | "loading" | "layout" | "ready" | { problem: string };

/** Resolves when the browser has painted what is there now. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

function hasWebGl(): boolean {
  return document.createElement("canvas").getContext("webgl2") !== null;
}

/** The description for people who cannot see the drawing. */
function describe(): string {
  const open = model.value;
  if (open === null) return "Drawing of the graph";
  const what = open.graph.drawing === "map" ? "Map" : "Drawing";
  const base = `${what} of ${count(open.graph.nodes)} nodes and ${count(open.graph.links)} links`;
  const link = chosenLink.value;
  if (link === null) return `${base}, with the pairs of the list.`;
  return `${base}. Highlighted: ${nameOf(link)} and ${count(scene.value.paths.length)} paths between them, which the list of reasons names.`;
}

export function DrawingPanel() {
  const box = useRef<HTMLDivElement>(null);
  const made = useRef<Drawing | null>(null);
  const [state, setState] = useState<State>("waiting");
  const hasList = list.value !== null;
  const digest = model.value?.graph.digest ?? null;

  useEffect(() => {
    if (!hasList || digest === null || box.current === null) return;
    const container = box.current;
    let isGone = false;
    let stop = () => {};
    (async () => {
      setState("loading");
      await painted();
      performance.mark("linkwl-list-painted");
      if (!hasWebGl())
        throw new api.ApiError("This browser cannot draw the graph: it has no WebGL. All else works.", "no_webgl", 0);
      const [code, data] = await Promise.all([import("../drawing/draw"), api.fetchDrawing()]);
      if (isGone) return;
      drawing.value = data;
      const instance = new code.Drawing(container, data, prefersStill.matches, {
        node: (id) => go({ node: id, from: 0, ...(isNarrow.value ? { tab: "list" as const } : {}) }),
        pair: choose,
        laidOut: (done) => setState(done ? "ready" : "layout"),
      });
      made.current = instance;
      performance.mark("linkwl-drawn");
      const stops = [
        effect(() => {
          const next = scene.value;
          // The chosen row is painted first, and the drawing follows.
          void painted().then(() => {
            if (!isGone && next === scene.peek()) instance.show(next);
          });
        }),
        effect(() => instance.setNames(new Map([...names.value, ...pairNames.value]))),
        effect(() => {
          void isDark.value;
          instance.recolour();
        }),
      ];
      stop = () => {
        for (const end of stops) end();
        instance.kill();
        made.current = null;
      };
      const { names: found } = await api.fetchNames();
      const ids = data.shown;
      learnNames(found.map((name, i) => [ids ? (ids[i] as number) : i, name]));
    })().catch((error) => {
      if (!isGone) setState({ problem: api.sentence(error) });
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [hasList, digest]);

  const problem = typeof state === "object" ? state.problem : null;
  return (
    <section class="panel drawing-panel" aria-label="Drawing of the graph" data-state={problem ? "problem" : state}>
      <div class="canvas" ref={box} role="img" aria-label={describe()} />
      {state === "loading" || state === "waiting" ? <p class="canvas-note">Loading the drawing…</p> : null}
      {state === "layout" ? <p class="canvas-note">Arranging the nodes…</p> : null}
      {problem && (
        <p class="canvas-note" role="alert">
          {problem}
        </p>
      )}
      {(state === "ready" || state === "layout") && (
        <>
          <div class="canvas-tools">
            <button
              type="button"
              class="button square"
              aria-label="Zoom in"
              title="Zoom in"
              onClick={() => made.current?.zoom(0.66)}
            >
              <Plus />
            </button>
            <button
              type="button"
              class="button square"
              aria-label="Zoom out"
              title="Zoom out"
              onClick={() => made.current?.zoom(1.5)}
            >
              <Minus />
            </button>
            <button
              type="button"
              class="button square"
              aria-label="Show the whole graph"
              title="Show the whole graph"
              onClick={() => made.current?.fit()}
            >
              <Fit />
            </button>
          </div>
          <Legend />
        </>
      )}
    </section>
  );
}

function Legend() {
  const { chosen, pinned, paths } = scene.value;
  const data = drawing.value;
  return (
    <ul class="legend canvas-legend" aria-hidden="true">
      <li class="legend-edge">links</li>
      {chosen ? <li class="legend-chosen">chosen pair</li> : <li class="legend-suggestion">pairs of the list</li>}
      {chosen && paths.length > 0 && <li class="legend-path">paths</li>}
      {pinned && <li class="legend-pinned">pinned</li>}
      {data?.shown && (
        <li>
          {count(data.shown.length)} of {count(data.num_nodes)} nodes drawn
        </li>
      )}
    </ul>
  );
}
