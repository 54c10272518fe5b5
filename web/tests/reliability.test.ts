import { describe, expect, it } from "vitest";
import { interval } from "../src/logic/reliability";

describe("reliability", () => {
  it("gives Wilson's interval", () => {
    // 8 of 10, checked by hand: (0.8 + 0.19207) / 1.38415 -+ 0.22678.
    const [low, high] = interval(0.8, 10);
    expect(low).toBeCloseTo(0.49, 2);
    expect(high).toBeCloseTo(0.943, 3);
  });

  it("stays between 0 and 1, and knows nothing of nothing", () => {
    expect(interval(1, 3)[1]).toBeCloseTo(1, 12);
    expect(interval(0, 3)[0]).toBeCloseTo(0, 12);
    expect(interval(0, 0)).toEqual([0, 1]);
  });
});
