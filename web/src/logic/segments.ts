/** Points and straight lines on the screen. */

export interface Point {
  x: number;
  y: number;
}

export function distanceToSegment(point: Point, from: Point, to: Point): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = dx ** 2 + dy ** 2;
  const along = length === 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / length;
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - from.x - t * dx, point.y - from.y - t * dy);
}
