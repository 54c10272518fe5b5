/** Labels of nodes: text with a rim of the background, so that it can be read on top of edges; none covers another. */
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from "sigma/rendering";
import { type Box, overlaps } from "../logic/boxes";
import type { Point } from "../logic/segments";
import type { Palette } from "./palette";

const [SIZE, FONT] = [12, "system-ui, sans-serif"];

export class Labels {
  private taken: Box[] = [];

  constructor(private palette: () => Palette) {}

  /** Before a frame, or before labels that may cover those that are there. */
  clear(): void {
    this.taken = [];
  }

  /** Writes a name beside a circle, unless it would cover another one; a strong name is always written. */
  write(context: CanvasRenderingContext2D, name: string, at: Point, radius: number, isStrong: boolean): void {
    if (name === "") return;
    const size = isStrong ? SIZE + 1 : SIZE;
    context.font = `${isStrong ? 650 : 450} ${size}px ${FONT}`;
    const [x, y] = [at.x + radius + 4, at.y + size / 3];
    const box = { x, y: y - size, width: context.measureText(name).width, height: size + 3 };
    if (!isStrong && this.taken.some((other) => overlaps(box, other))) return;
    this.taken.push(box);
    const { background, text } = this.palette();
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = background;
    context.fillStyle = text;
    context.strokeText(name, x, y);
    context.fillText(name, x, y);
  }

  paint: NodeLabelDrawingFunction = (context, data) => {
    this.write(context, data.label ?? "", data, data.size, false);
  };

  paintHovered: NodeHoverDrawingFunction = (context, data) => {
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = this.palette().accent;
    context.stroke();
    this.write(context, data.label ?? "", data, data.size, true);
  };
}
