/** The drawing of the graph, with sigma. This file is loaded after the list is on the screen. */
import Graph from "graphology";
import Sigma from "sigma";
import { EdgeArrowProgram, EdgeLineProgram, EdgeRectangleProgram } from "sigma/rendering";
import type { Query } from "../logic/address";
import { startPositions } from "../logic/layout";
import { areDegrees, project } from "../logic/projection";
import type { Scene } from "../state/scene";
import type { DrawingData } from "../types";
import { addGraticule } from "./graticule";
import { Labels } from "./labels";
import type { LayoutAnswer, LayoutRequest } from "./layout.worker";
import { type Palette, readPalette } from "./palette";

export interface Events {
  node: (id: number) => void;
  pair: (query: Query) => void;
  laidOut: (done: boolean) => void;
}

/** Above so many edges they are drawn as plain lines, and hidden while the drawing moves. */
const MANY_EDGES = 20_000;

type Span = [number, number];

/** The span of values without the outermost twentieth on either side. */
function withoutTails(values: number[]): Span {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(values.length / 20);
  return [sorted[cut] as number, sorted[values.length - 1 - cut] as number];
}

export class Drawing {
  private graph = new Graph({ type: "directed", multi: true, allowSelfLoops: true });
  private sigma: Sigma;
  private palette: Palette;
  private labels = new Labels(() => this.palette);
  private indexOf: Map<number, number> | null;
  private scene: Scene | null = null;
  private ends = new Set<number>();
  private middle = new Set<number>();
  private overlays: string[] = [];
  private worker: Worker | null = null;
  private observer: ResizeObserver;
  private names: ReadonlyMap<number, string> = new Map();
  private shownPair = "";

  constructor(
    private container: HTMLElement,
    private data: DrawingData,
    private still: boolean,
    private events: Events,
  ) {
    this.palette = readPalette(data.edges.length / 2);
    this.indexOf = data.shown ? new Map(data.shown.map((id, i) => [id, i])) : null;
    const isMany = data.edges.length / 2 > MANY_EDGES;
    const degrees = data.kind === "map" && data.x && data.y && areDegrees(data.x, data.y);
    const map = degrees ? project(data.x as number[], data.y as number[]) : null;
    this.addNodes(map?.x ?? data.x, map?.y ?? data.y);
    this.addEdges();
    this.sigma = new Sigma(this.graph, container, {
      allowInvalidContainer: true,
      defaultEdgeType: "line",
      edgeProgramClasses: {
        line: isMany ? EdgeLineProgram : EdgeRectangleProgram,
        over: EdgeRectangleProgram,
        arrow: EdgeArrowProgram,
      },
      enableEdgeEvents: !isMany,
      hideEdgesOnMove: isMany,
      labelFont: "system-ui, sans-serif",
      labelSize: 12,
      labelRenderedSizeThreshold: 6,
      labelDensity: 0.6,
      labelGridCellSize: 110,
      defaultDrawNodeLabel: this.labels.paint,
      defaultDrawNodeHover: this.labels.paintHovered,
      minEdgeThickness: 0.7,
      stagePadding: 24,
      zIndex: true,
      minCameraRatio: 0.02,
      maxCameraRatio: 3,
      nodeReducer: (key, attributes) => ({ ...attributes, ...this.nodeLook(Number(key)) }),
      edgeReducer: (_, attributes) =>
        attributes.type === "line"
          ? { ...attributes, color: this.scene?.chosen ? this.palette.edgeDim : this.palette.edge }
          : attributes,
    });
    this.sigma.on("beforeRender", () => this.labels.clear(this.strongPlaces()));
    if (map) addGraticule(this.sigma, container, () => this.palette, map.edge, data.y as number[]);
    this.listen();
    this.observer = new ResizeObserver(() => {
      if (container.clientWidth > 0) this.sigma.resize().refresh();
    });
    this.observer.observe(container);
    if (data.x === null || data.y === null) this.layOut();
    else {
      this.home(0);
      events.laidOut(true);
    }
  }

  private addNodes(x: readonly number[] | null, y: readonly number[] | null): void {
    const { degree } = this.data;
    const most = Math.max(1, ...degree);
    const start = x && y ? null : startPositions(degree);
    const scale = Math.min(1, Math.max(0.35, Math.sqrt(400 / degree.length)));
    degree.forEach((links, i) => {
      const [nx, ny] = start ? (start[i] as [number, number]) : [(x as number[])[i], (y as number[])[i]];
      this.graph.addNode(i, { x: nx, y: ny, size: scale * (1.6 + 5 * Math.sqrt(links / most)) });
    });
  }

  private addEdges(): void {
    const { edges } = this.data;
    const size = edges.length > 2000 ? 0.7 : 1.2;
    for (let i = 0; i + 1 < edges.length; i += 2) {
      this.graph.addDirectedEdgeWithKey(`e${i}`, edges[i], edges[i + 1], { type: "line", size, zIndex: 0 });
    }
  }

  private nodeLook(index: number): object {
    const label = this.names.get(this.idOf(index)) ?? "";
    const { palette, scene } = this;
    if (this.ends.has(index))
      return { label, color: palette.accent, forceLabel: true, isStrong: true, zIndex: 3, size: 8 };
    if (this.middle.has(index)) return { label, color: palette.path, forceLabel: this.middle.size <= 24, zIndex: 2 };
    if (scene?.node !== null && scene?.node === this.idOf(index)) {
      return { label, color: palette.accent, forceLabel: true, isStrong: true, zIndex: 3 };
    }
    return scene?.chosen ? { label: "", color: palette.nodeDim, zIndex: 0 } : { label, color: palette.node, zIndex: 1 };
  }

  /** Where the ends of the chosen pair are on the screen; no other label may cover theirs. */
  private strongPlaces(): [number, number][] {
    return [...this.ends].map((index) => {
      const { x, y } = this.sigma.graphToViewport(this.graph.getNodeAttributes(index) as { x: number; y: number });
      return [x, y];
    });
  }

  private idOf(index: number): number {
    return this.data.shown ? (this.data.shown[index] as number) : index;
  }

  private place(id: number): number | null {
    const index = this.indexOf ? this.indexOf.get(id) : id;
    return index === undefined || index >= this.data.degree.length ? null : index;
  }

  private listen(): void {
    this.sigma.on("clickNode", ({ node }) => this.events.node(this.idOf(Number(node))));
    this.sigma.on("clickEdge", ({ edge }) => {
      const query = this.graph.getEdgeAttribute(edge, "query") as Query | undefined;
      if (query) this.events.pair(query);
    });
    const cursor = (name: string) => () => {
      this.container.style.cursor = name;
    };
    this.sigma.on("enterNode", cursor("pointer"));
    this.sigma.on("leaveNode", cursor(""));
    this.sigma.on("enterEdge", ({ edge }) => this.graph.getEdgeAttribute(edge, "query") && cursor("pointer")());
    this.sigma.on("leaveEdge", cursor(""));
  }

  /** The layout runs in a worker of ours; positions come while it works, or once if the reader wants no motion. */
  private layOut(): void {
    this.events.laidOut(false);
    this.worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      const { positions, done } = data;
      this.graph.updateEachNodeAttributes(
        (key, attributes) => {
          const i = 2 * Number(key);
          return { ...attributes, x: positions[i], y: positions[i + 1] };
        },
        { attributes: ["x", "y"] },
      );
      if (done) {
        this.worker?.terminate();
        this.worker = null;
        this.events.laidOut(true);
        this.shownPair = "";
        if (this.scene) this.show(this.scene);
      }
    };
    const { degree, edges } = this.data;
    this.worker.postMessage({ degree, edges, live: !this.still } satisfies LayoutRequest);
  }

  setNames(names: ReadonlyMap<number, string>): void {
    this.names = names;
    this.sigma.refresh();
  }

  recolour(): void {
    this.palette = readPalette(this.data.edges.length / 2);
    if (this.scene) this.show(this.scene);
    else this.sigma.refresh();
  }

  /** Draws what is highlighted: suggestions, then paths, then the chosen pair on top. */
  show(scene: Scene): void {
    this.scene = scene;
    this.ends = new Set();
    this.middle = new Set();
    for (const edge of this.overlays) this.graph.dropEdge(edge);
    this.overlays = [];
    const { palette } = this;
    for (const suggestion of scene.suggestions) {
      if (scene.chosen) break;
      this.overlay(suggestion, {
        color: palette.suggestion[suggestion.verdict ?? "open"],
        size: 2,
        zIndex: 1,
        query: suggestion,
      });
    }
    for (const path of scene.paths) {
      for (let i = 0; i + 1 < path.length; i++) {
        const [source, target] = [path[i] as number, path[i + 1] as number];
        this.overlay(
          { source, target, relation: null },
          { color: palette.path, size: scene.isPointed ? 2.4 : 1.5, zIndex: 2 },
        );
      }
      for (const node of path.slice(1, -1)) this.mark(node, this.middle);
    }
    if (scene.pinned) this.overlay(scene.pinned, { color: palette.pinned, size: 2.5, zIndex: 3 });
    if (scene.chosen) {
      this.overlay(scene.chosen, {
        color: palette.accent,
        size: 3.2,
        zIndex: 4,
        ...(scene.isDirected || scene.chosen.relation !== null ? { type: "arrow" } : {}),
      });
      this.mark(scene.chosen.source, this.ends);
      this.mark(scene.chosen.target, this.ends);
    }
    this.sigma.refresh();
    this.look(scene);
  }

  private mark(id: number, set: Set<number>): void {
    const index = this.place(id);
    if (index !== null) set.add(index);
  }

  private overlay(query: Query, attributes: object): void {
    const [source, target] = [this.place(query.source), this.place(query.target)];
    if (source === null || target === null) return;
    this.overlays.push(this.graph.addDirectedEdge(source, target, { type: "over", ...attributes }));
  }

  /** Moves the camera to a pair that has just been chosen, and back when it is closed. */
  private look(scene: Scene): void {
    const key = scene.chosen ? `${scene.chosen.source} ${scene.chosen.target} ${this.middle.size > 0}` : "";
    if (key === this.shownPair || this.worker !== null) return;
    const wasChosen = this.shownPair !== "";
    this.shownPair = key;
    if (!scene.chosen) {
      if (wasChosen) this.home(this.duration);
      return;
    }
    const points = [...this.ends, ...this.middle]
      .map((i) => this.sigma.getNodeDisplayData(String(i)))
      .filter((p) => p !== undefined);
    if (points.length === 0) return;
    const [xs, ys] = [points.map((p) => p.x), points.map((p) => p.y)];
    this.lookAt([Math.min(...xs), Math.max(...xs)], [Math.min(...ys), Math.max(...ys)], 1.3, this.duration);
  }

  private get duration(): number {
    return this.still ? 0 : 350;
  }

  zoom(factor: number): void {
    const camera = this.sigma.getCamera();
    void camera.animate({ ratio: camera.getBoundedRatio(camera.ratio * factor) }, { duration: this.still ? 0 : 150 });
  }

  fit(): void {
    void this.sigma.getCamera().animate({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }, { duration: this.duration });
  }

  /** Where the drawing starts: on a map, where nine tenths of the nodes are. */
  private home(duration: number): void {
    const points = this.data.degree
      .map((_, i) => this.sigma.getNodeDisplayData(String(i)))
      .filter((p) => p !== undefined);
    if (this.data.kind !== "map" || points.length < 20) this.fit();
    else this.lookAt(withoutTails(points.map((p) => p.x)), withoutTails(points.map((p) => p.y)), 1.25, duration);
  }

  private lookAt([west, east]: Span, [south, north]: Span, margin: number, duration: number): void {
    const whole = { cameraState: { x: 0.5, y: 0.5, ratio: 1, angle: 0 } };
    const one = this.sigma.framedGraphToViewport({ x: west, y: south }, whole);
    const other = this.sigma.framedGraphToViewport({ x: east, y: north }, whole);
    const { width, height } = this.sigma.getDimensions();
    const share = Math.max(
      Math.abs(one.x - other.x) / Math.max(1, width),
      Math.abs(one.y - other.y) / Math.max(1, height),
    );
    const ratio = Math.min(1.1, Math.max(0.08, margin * share));
    void this.sigma.getCamera().animate({ x: (west + east) / 2, y: (south + north) / 2, ratio }, { duration });
  }

  kill(): void {
    this.worker?.terminate();
    this.observer.disconnect();
    this.sigma.kill();
    this.container.replaceChildren();
  }
}
