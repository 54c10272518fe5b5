/** The drawing of the graph, with sigma. This file is loaded after the list is on the screen. */
import Graph from "graphology";
import Sigma from "sigma";
import { EdgeRectangleProgram, NodeCircleProgram, NodePointProgram } from "sigma/rendering";
import type { Query } from "../logic/address";
import { startPositions } from "../logic/layout";
import { areDegrees, project } from "../logic/projection";
import type { Scene } from "../state/scene";
import type { DrawingData } from "../types";
import { addGraticule } from "./graticule";
import { Labels } from "./labels";
import type { LayoutAnswer, LayoutRequest } from "./layout.worker";
import { linesWhile } from "./lines";
import { Overlay } from "./overlay";
import { type Palette, readPalette } from "./palette";

export interface Events {
  node: (id: number) => void;
  pair: (query: Query) => void;
  laidOut: (done: boolean) => void;
}

type Span = [number, number];

/** Above so many edges they are plain lines, not drawn while the drawing moves or is laid out. */
const MANY_EDGES = 20_000;
/** Above so many nodes they are points: without a graphics card, sigma takes long for its circles. */
const MANY_NODES = 1000;

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
  private overlay: Overlay;
  private indexOf: Map<number, number> | null;
  private worker: Worker | null = null;
  private observer: ResizeObserver;
  private names: ReadonlyMap<number, string> = new Map();
  private shownPair = "";
  private isMany: boolean;
  private isLaidOut: boolean;

  constructor(
    private container: HTMLElement,
    private data: DrawingData,
    private still: boolean,
    private events: Events,
  ) {
    this.palette = readPalette(data.edges.length / 2);
    this.indexOf = data.shown ? new Map(data.shown.map((id, i) => [id, i])) : null;
    this.isMany = data.edges.length / 2 > MANY_EDGES;
    this.isLaidOut = data.x !== null && data.y !== null;
    const degrees = data.kind === "map" && data.x && data.y && areDegrees(data.x, data.y);
    const map = degrees ? project(data.x as number[], data.y as number[]) : null;
    this.addNodes(map?.x ?? data.x, map?.y ?? data.y);
    this.addEdges();
    this.sigma = this.makeSigma();
    this.sigma.on("beforeRender", () => this.labels.clear());
    this.overlay = new Overlay({
      sigma: this.sigma,
      palette: () => this.palette,
      labels: this.labels,
      place: (id) => this.place(id),
      nameOf: (id) => this.names.get(id) ?? "",
    });
    if (map) addGraticule(this.sigma, container, () => this.palette, map.edge, data.y as number[]);
    this.listen();
    this.observer = new ResizeObserver(() => {
      if (container.clientWidth > 0) this.sigma.resize().scheduleRender();
    });
    this.observer.observe(container);
    if (this.isLaidOut) {
      this.home(0);
      events.laidOut(true);
    } else this.layOut();
  }

  private makeSigma(): Sigma {
    return new Sigma(this.graph, this.container, {
      allowInvalidContainer: true,
      defaultEdgeType: "line",
      defaultEdgeColor: this.palette.edge,
      edgeProgramClasses: { line: this.isMany ? linesWhile(() => this.isLaidOut) : EdgeRectangleProgram },
      nodeProgramClasses: { circle: this.data.degree.length > MANY_NODES ? NodePointProgram : NodeCircleProgram },
      hideEdgesOnMove: this.isMany,
      labelRenderedSizeThreshold: 6,
      labelDensity: 0.6,
      labelGridCellSize: 110,
      defaultDrawNodeLabel: this.labels.paint,
      defaultDrawNodeHover: this.labels.paintHovered,
      minEdgeThickness: 0.7,
      stagePadding: 24,
      minCameraRatio: 0.02,
      maxCameraRatio: 3,
      nodeReducer: (key, attributes) => ({
        ...attributes,
        color: this.palette.node,
        label: this.names.get(this.idOf(Number(key))) ?? "",
      }),
    });
  }

  private addNodes(x: readonly number[] | null, y: readonly number[] | null): void {
    const { degree } = this.data;
    const most = degree.reduce((a, b) => Math.max(a, b), 1);
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
      this.graph.addDirectedEdgeWithKey(`e${i}`, edges[i], edges[i + 1], { size });
    }
  }

  private idOf(index: number): number {
    return this.data.shown ? (this.data.shown[index] as number) : index;
  }

  private keyOf(id: number): string | null {
    const index = this.indexOf ? this.indexOf.get(id) : id;
    return index === undefined || index >= this.data.degree.length ? null : String(index);
  }

  private place(id: number): { x: number; y: number; size: number } | null {
    const key = this.keyOf(id);
    if (key === null) return null;
    const { x, y, size } = this.graph.getNodeAttributes(key) as { x: number; y: number; size: number };
    return { ...this.sigma.graphToViewport({ x, y }), size: this.sigma.scaleSize(size) };
  }

  private listen(): void {
    this.sigma.on("clickNode", ({ node }) => this.events.node(this.idOf(Number(node))));
    this.sigma.on("clickStage", ({ event }) => {
      const query = this.overlay.suggestionAt(event);
      if (query) this.events.pair(query);
    });
    let isOnNode = false;
    const point = (is: boolean) => () => {
      isOnNode = is;
    };
    this.sigma.on("enterNode", point(true));
    this.sigma.on("leaveNode", point(false));
    this.sigma.on("moveBody", ({ event }) => {
      this.container.style.cursor = isOnNode || this.overlay.suggestionAt(event) ? "pointer" : "";
    });
  }

  /** The layout runs in a worker of ours; positions come while it works, or once if that would be much to draw. */
  private layOut(): void {
    this.events.laidOut(false);
    this.worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      const { positions, done } = data;
      if (done) {
        this.worker?.terminate();
        this.worker = null;
        this.isLaidOut = true;
      }
      this.graph.updateEachNodeAttributes(
        (key, attributes) => {
          const i = 2 * Number(key);
          return { ...attributes, x: positions[i], y: positions[i + 1] };
        },
        { attributes: ["x", "y"] },
      );
      if (!done) return;
      this.sigma.refresh({ partialGraph: {} }); // at once: the camera needs the places
      this.events.laidOut(true);
      if (this.overlay.scene) this.look(this.overlay.scene);
    };
    const { degree, edges } = this.data;
    this.worker.postMessage({ degree, edges, live: !this.still && !this.isMany } satisfies LayoutRequest);
  }

  setNames(names: ReadonlyMap<number, string>): void {
    const isMore = names.size > this.names.size + 10;
    this.names = names;
    // Names change no place, so sigma need not read the edges again.
    const again = { partialGraph: { nodes: this.graph.nodes() }, skipIndexation: true, schedule: true };
    if (isMore) this.sigma.refresh(again);
    else this.overlay.scheduleDraw();
  }

  recolour(): void {
    const next = readPalette(this.data.edges.length / 2);
    if (JSON.stringify(next) === JSON.stringify(this.palette)) return;
    this.palette = next;
    this.sigma.setSetting("defaultEdgeColor", next.edge); // and draws all anew
  }

  show(scene: Scene): void {
    this.overlay.scene = scene;
    this.overlay.scheduleDraw();
    this.look(scene);
  }

  /** Moves the camera to a pair that has just been chosen, and back when it is closed. */
  private look(scene: Scene): void {
    const key = scene.chosen ? `${scene.chosen.source} ${scene.chosen.target} ${scene.paths.length > 0}` : "";
    if (key === this.shownPair || !this.isLaidOut || scene.isPointed) return;
    const wasChosen = this.shownPair !== "";
    this.shownPair = key;
    if (!scene.chosen) {
      if (wasChosen) this.home(this.duration);
      return;
    }
    const ids = new Set([scene.chosen.source, scene.chosen.target, ...scene.paths.flat()]);
    const keys = [...ids].map((id) => this.keyOf(id)).filter((found) => found !== null);
    const points = keys.map((found) => this.sigma.getNodeDisplayData(found)).filter((p) => p !== undefined);
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
    const keys = this.data.degree.map((_, i) => String(i));
    const points = keys.map((key) => this.sigma.getNodeDisplayData(key)).filter((p) => p !== undefined);
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
    this.overlay.kill();
    this.sigma.kill();
    this.container.replaceChildren();
  }
}
