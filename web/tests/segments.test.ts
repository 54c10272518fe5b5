import { describe, expect, it } from "vitest";
import { distanceToSegment } from "../src/logic/segments";

describe("segments", () => {
  const [from, to] = [
    { x: 0, y: 0 },
    { x: 10, y: 0 },
  ];

  it("are as far away as their nearest point", () => {
    expect(distanceToSegment({ x: 5, y: 3 }, from, to)).toBe(3);
    expect(distanceToSegment({ x: 13, y: 4 }, from, to)).toBe(5);
    expect(distanceToSegment({ x: -3, y: -4 }, from, to)).toBe(5);
  });

  it("may be a point", () => {
    expect(distanceToSegment({ x: 3, y: 4 }, from, from)).toBe(5);
  });
});
