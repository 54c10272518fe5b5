/** The uncertainty of a share, for the reliability plot. */

/** Wilson's 95 % interval of a share that was observed `count` times. */
export function interval(share: number, count: number): [number, number] {
  if (count <= 0) return [0, 1];
  const z = 1.959964;
  const centre = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
  const half = (z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
