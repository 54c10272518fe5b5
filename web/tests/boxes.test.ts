import { describe, expect, it } from "vitest";
import { overlaps } from "../src/logic/boxes";

describe("boxes", () => {
  const box = { x: 0, y: 0, width: 10, height: 5 };

  it("overlap if they share an area, in either order", () => {
    const other = { ...box, x: 9, y: 4 };
    expect([overlaps(box, other), overlaps(other, box)]).toEqual([true, true]);
    expect(overlaps(box, { x: 2, y: 1, width: 1, height: 1 })).toBe(true);
  });

  it("do not overlap if they only touch, or lie apart in one direction", () => {
    expect(overlaps(box, { ...box, x: 10 })).toBe(false);
    expect(overlaps(box, { ...box, x: 3, y: 5 })).toBe(false);
  });
});
