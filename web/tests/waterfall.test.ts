import { describe, expect, it } from "vitest";
import { waterfall } from "../src/logic/waterfall";

const PARTS = [
  { label: "two neighbours", contribution: 3 },
  { label: "the degrees", contribution: -1 },
];

describe("waterfall", () => {
  it("places the bars end to end", () => {
    const { bars, zero } = waterfall(-2, PARTS, 0);
    // The range is -2 to 1.
    expect(bars.map(({ start, end }) => [start, end].map((x) => Math.round(x * 30) / 10))).toEqual([
      [0, 2],
      [0, 3],
      [2, 3],
      [2, 2],
    ]);
    expect(zero).toBeCloseTo(2 / 3);
    expect(bars[2]?.running).toBeCloseTo(bars[3]?.end ?? 0);
  });

  it("closes a gap between the sum and the score", () => {
    const kinds = (score: number) => waterfall(-2, PARTS, score).bars.map((bar) => bar.kind);
    expect(kinds(0)).toEqual(["baseline", "group", "group", "score"]);
    expect(kinds(0.5)).toEqual(["baseline", "group", "group", "rest", "score"]);
    expect(kinds(1e-9)).not.toContain("rest");
  });

  it("keeps every bar inside, and draws nothing that is not a number", () => {
    for (const { bars } of [waterfall(0, [], 0), waterfall(5, PARTS, 7), waterfall(-9, PARTS, -7)]) {
      for (const { start, end } of bars) {
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(1);
        expect(end).toBeGreaterThanOrEqual(start);
      }
    }
  });
});
