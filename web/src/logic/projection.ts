/** Degrees to the plane: Mercator, with the world turned so that the nodes lie together. */

const RADIANS = Math.PI / 180;
const LIMIT = 85;

export function mercator(longitude: number, latitude: number): [number, number] {
  const clipped = Math.max(-LIMIT, Math.min(LIMIT, latitude));
  return [longitude, Math.log(Math.tan(Math.PI / 4 + (clipped * RADIANS) / 2)) / RADIANS];
}

/** Where to cut the world: in the middle of the widest gap between longitudes, so that no cluster is torn apart. */
export function westernEdge(longitudes: readonly number[]): number {
  const sorted = [...new Set(longitudes.map((value) => (((value % 360) + 540) % 360) - 180))].sort((a, b) => a - b);
  let [edge, widest] = [-180, 0];
  sorted.forEach((value, i) => {
    const next = i + 1 < sorted.length ? (sorted[i + 1] as number) : (sorted[0] as number) + 360;
    if (next - value > widest) [edge, widest] = [(value + next) / 2, next - value];
  });
  return ((edge + 540) % 360) - 180;
}

/** The longitude between the western edge and 360 degrees further east. */
export function unwrap(longitude: number, edge: number): number {
  return edge + ((((longitude - edge) % 360) + 360) % 360);
}

/** Positions of all nodes in the plane. */
export function project(
  longitudes: readonly number[],
  latitudes: readonly number[],
): { x: number[]; y: number[]; edge: number } {
  const edge = westernEdge(longitudes);
  const points = longitudes.map((value, i) => mercator(unwrap(value, edge), latitudes[i] as number));
  return { x: points.map(([x]) => x), y: points.map(([, y]) => y), edge };
}

/** Whether coordinates can be degrees; otherwise they are a plane, and drawn as they are. */
export function areDegrees(longitudes: readonly number[], latitudes: readonly number[]): boolean {
  return longitudes.every((x) => Math.abs(x) <= 360) && latitudes.every((y) => Math.abs(y) <= 90);
}
