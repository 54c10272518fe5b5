/** Labels of nodes: text with a rim of the background, so that it can be read on top of edges. */
import type { NodeHoverDrawingFunction, NodeLabelDrawingFunction } from "sigma/rendering";
import type { Palette } from "./palette";

export function labelPainter(palette: () => Palette): NodeLabelDrawingFunction {
  return (context, data, settings) => {
    if (!data.label) return;
    const strong = Boolean((data as { isStrong?: boolean }).isStrong);
    const { background, text } = palette();
    context.font = `${strong ? 600 : 450} ${strong ? settings.labelSize + 1 : settings.labelSize}px ${settings.labelFont}`;
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = background;
    context.fillStyle = text;
    const [x, y] = [data.x + data.size + 4, data.y + settings.labelSize / 3];
    context.strokeText(data.label, x, y);
    context.fillText(data.label, x, y);
  };
}

export function hoverPainter(palette: () => Palette): NodeHoverDrawingFunction {
  const paint = labelPainter(palette);
  return (context, data, settings) => {
    context.beginPath();
    context.arc(data.x, data.y, data.size + 3, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.strokeStyle = palette().accent;
    context.stroke();
    paint(context, { ...data, isStrong: true } as typeof data, settings);
  };
}
