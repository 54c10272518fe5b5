import { describe, expect, it } from "vitest";
import { duration, linkName, oneIn, percent, plural, signed } from "../src/logic/format";

describe("format", () => {
  it("shows probabilities with the digits that matter", () => {
    const shown = [0.5, 0.123, 0.0123, 0.00123, 1e-9, 0.9999, 0.99999].map(percent);
    expect(shown).toEqual(["50.0 %", "12.3 %", "1.23 %", "0.12 %", "< 0.001 %", "99.99 %", "> 99.99 %"]);
  });

  it("shows priors as ratios", () => {
    expect([0.5, 0.3, 0.012, 0.0001].map(oneIn)).toEqual(["1 in 2", "1 in 3.3", "1 in 83", "1 in 10,000"]);
  });

  it("shows signs", () => {
    expect([signed(1.5, true), signed(-1.5), signed(0, true), signed(-0.0001)]).toEqual([
      "+1.50",
      "−1.50",
      "0.00",
      "0.000",
    ]);
  });

  it("counts in English", () => {
    expect([plural(1, "link"), plural(1200, "link"), duration(0.2), duration(1), duration(200)]).toEqual([
      "1 link",
      "1,200 links",
      "less than a second",
      "1 second",
      "4 minutes",
    ]);
  });

  it("names pairs and triples", () => {
    const pair = { source_name: "A", target_name: "B", relation_name: null };
    expect([linkName(pair), linkName(pair, true)]).toEqual(["A – B", "A → B"]);
    expect(linkName({ ...pair, relation_name: "knows" })).toBe("A knows B");
  });
});
