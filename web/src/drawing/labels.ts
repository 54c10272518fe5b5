/** Labels of nodes: text with a rim of the background, so that it can be read on top of edges; none covers another. */
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from "sigma/rendering";
import { type Box, overlaps } from "../logic/boxes";
import type { Palette } from "./palette";

/** Room for the label of an end of the chosen pair, whose text is not known before it is drawn. */
const STRONG_ROOM = { width: 60, height: 18 };

export class Labels {
  private taken: Box[] = [];

  constructor(private palette: () => Palette) {}

  /** Before a frame: forgets the last one, and keeps room for the labels of the chosen pair. */
  clear(strong: [number, number][]): void {
    this.taken = strong.map(([x, y]) => ({ x: x - 8, y: y - STRONG_ROOM.height / 2, ...STRONG_ROOM }));
  }

  paint: NodeLabelDrawingFunction = (context, data, settings) => {
    if (!data.label) return;
    const isStrong = Boolean((data as { isStrong?: boolean }).isStrong);
    const size = isStrong ? settings.labelSize + 1 : settings.labelSize;
    context.font = `${isStrong ? 600 : 450} ${size}px ${settings.labelFont}`;
    const [x, y] = [data.x + data.size + 4, data.y + size / 3];
    const box = { x, y: y - size, width: context.measureText(data.label).width, height: size + 3 };
    if (!isStrong && this.taken.some((other) => overlaps(box, other))) return;
    this.taken.push(box);
    const { background, text } = this.palette();
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = background;
    context.fillStyle = text;
    context.strokeText(data.label, x, y);
    context.fillText(data.label, x, y);
  };

  paintHovered: NodeHoverDrawingFunction = (context, data, settings) => {
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = this.palette().accent;
    context.stroke();
    this.paint(context, { ...data, isStrong: true } as typeof data, settings);
  };
}
