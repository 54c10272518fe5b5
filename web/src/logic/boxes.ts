/** Rectangles on the screen. */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
