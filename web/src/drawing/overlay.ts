/** What is highlighted, on two canvases of ours: suggestions below the nodes, the chosen pair and its paths above them.
 *
 * The graph of sigma does not change when a pair is chosen, so that costs the same however many edges there are. The rest
 * is dimmed by a veil in the colour of the background.
 */
import type Sigma from "sigma";
import type { Query } from "../logic/address";
import { distanceToSegment, type Point } from "../logic/segments";
import type { Scene } from "../state/scene";
import type { Labels } from "./labels";
import type { Palette } from "./palette";

/** How near to a suggestion a click must be, in pixels. */
const NEAR = 6;
/** Above so many middle nodes, their names would hide the drawing. */
const MANY_NAMES = 24;

interface Host {
  sigma: Sigma;
  palette: () => Palette;
  labels: Labels;
  /** Where a node is on the screen, and how large; null if it is not drawn. */
  place: (id: number) => (Point & { size: number }) | null;
  nameOf: (id: number) => string;
}

export class Overlay {
  scene: Scene | null = null;
  private below: CanvasRenderingContext2D;
  private above: CanvasRenderingContext2D;
  private frame = 0;

  constructor(private host: Host) {
    const { sigma } = host;
    this.below = context(sigma, "suggestions", { beforeLayer: "nodes" });
    this.above = context(sigma, "highlights", { afterLayer: "labels" });
    sigma.resize(true);
    sigma.on("afterRender", () => this.draw());
  }

  /** The suggestion under a point of the screen. */
  suggestionAt(point: Point): Query | null {
    if (!this.scene || this.scene.chosen) return null;
    let [nearest, found]: [number, Query | null] = [NEAR, null];
    for (const suggestion of this.scene.suggestions) {
      const ends = this.ends(suggestion);
      const distance = ends ? distanceToSegment(point, ...ends) : nearest;
      if (distance < nearest) [nearest, found] = [distance, suggestion];
    }
    return found;
  }

  private ends(query: Query): [Point, Point] | null {
    const [source, target] = [this.host.place(query.source), this.host.place(query.target)];
    return source && target ? [source, target] : null;
  }

  /** Draws at the next frame. The canvases of sigma stay as they are: without a graphics card they take long. */
  scheduleDraw(): void {
    this.frame ||= requestAnimationFrame(() => this.draw());
  }

  kill(): void {
    cancelAnimationFrame(this.frame);
  }

  private draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { scene, below, above } = this;
    const { width, height } = this.host.sigma.getDimensions();
    below.clearRect(0, 0, width, height);
    above.clearRect(0, 0, width, height);
    if (scene === null) return;
    const palette = this.host.palette();
    if (!scene.chosen) {
      for (const suggestion of scene.suggestions) {
        this.line(below, suggestion, palette.suggestion[suggestion.verdict ?? "open"], 1.8, [8, 4]);
      }
      if (scene.node !== null) this.node(scene.node, palette.accent, 3, true);
      return;
    }
    above.globalAlpha = 0.62;
    above.fillStyle = palette.background;
    above.fillRect(0, 0, width, height);
    above.globalAlpha = 1;
    this.highlight(scene, scene.chosen, palette);
  }

  private highlight(scene: Scene, pair: Query, palette: Palette): void {
    const drawn = new Set<string>();
    const middle = new Set<number>();
    for (const path of scene.paths) {
      for (let i = 0; i + 1 < path.length; i++) {
        const step = { source: path[i] as number, target: path[i + 1] as number, relation: null };
        const key = [step.source, step.target].sort().join("-");
        if (!drawn.has(key)) this.line(this.above, step, palette.path, scene.isPointed ? 2.4 : 1.5);
        drawn.add(key);
      }
      for (const node of path) if (node !== pair.source && node !== pair.target) middle.add(node);
    }
    if (scene.pinned) this.line(this.above, scene.pinned, palette.pinned, 3, [7, 5]);
    const isArrow = scene.isDirected || pair.relation !== null;
    this.line(this.above, pair, palette.accent, 3.5, [], isArrow);
    for (const node of middle) this.node(node, palette.path, 0.5, false);
    for (const node of [pair.source, pair.target]) this.node(node, palette.accent, 3, false);
    // Names last, those of the pair first: none covers another.
    this.host.labels.clear();
    for (const node of [pair.source, pair.target]) this.name(node, true);
    if (middle.size <= MANY_NAMES) for (const node of middle) this.name(node, false);
  }

  private line(
    on: CanvasRenderingContext2D,
    query: Query,
    colour: string,
    width: number,
    dashes: number[] = [],
    isArrow = false,
  ): void {
    const ends = this.ends(query);
    if (ends === null) return;
    const [from, to] = ends;
    on.beginPath();
    on.setLineDash(dashes);
    on.lineCap = dashes.length > 0 ? "butt" : "round";
    on.lineWidth = width;
    on.strokeStyle = colour;
    on.moveTo(from.x, from.y);
    on.lineTo(to.x, to.y);
    on.stroke();
    on.setLineDash([]);
    if (isArrow) this.arrow(on, from, to, colour, width);
  }

  private arrow(on: CanvasRenderingContext2D, from: Point, to: Point, colour: string, width: number): void {
    const angle = Math.atan2(to.y - from.y, to.x - from.x);
    const size = 4 * width;
    // The tip touches the circle of the node.
    const tip = { x: to.x - 9 * Math.cos(angle), y: to.y - 9 * Math.sin(angle) };
    on.beginPath();
    on.fillStyle = colour;
    on.moveTo(tip.x, tip.y);
    for (const turn of [0.42, -0.42]) {
      on.lineTo(tip.x - size * Math.cos(angle + turn), tip.y - size * Math.sin(angle + turn));
    }
    on.fill();
  }

  private node(id: number, colour: string, more: number, withName: boolean): void {
    const place = this.host.place(id);
    if (place === null) return;
    const { above } = this;
    above.beginPath();
    above.arc(place.x, place.y, Math.min(9, Math.max(3, place.size)) + more, 0, 2 * Math.PI);
    above.fillStyle = colour;
    above.fill();
    above.lineWidth = 1.5;
    above.strokeStyle = this.host.palette().background;
    above.stroke();
    if (withName) this.name(id, true);
  }

  private name(id: number, isStrong: boolean): void {
    const place = this.host.place(id);
    if (place === null) return;
    const size = Math.min(9, Math.max(3, place.size)) + (isStrong ? 3 : 0.5);
    this.host.labels.write(this.above, this.host.nameOf(id), { x: place.x, y: place.y }, size, isStrong);
  }
}

function context(
  sigma: Sigma,
  name: string,
  where: { beforeLayer?: string; afterLayer?: string },
): CanvasRenderingContext2D {
  // Its types leave out where the canvas goes.
  sigma.createCanvasContext(name, where as object);
  const found = sigma.getCanvases()[name]?.getContext("2d");
  if (!found) throw new Error(`There is no canvas for ${name}.`);
  found.canvas.style.pointerEvents = "none";
  return found;
}
