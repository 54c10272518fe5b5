import { describe, expect, it } from "vitest";
import { mix, parseHex } from "../src/logic/colours";

describe("colours", () => {
  it("mixes as if the upper colour were translucent", () => {
    expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
    expect(mix("#102030", "#fff", 0)).toBe("#102030");
    expect(mix("#102030", "#fff", 1)).toBe("#ffffff");
  });

  it("refuses what is no colour", () => {
    expect(parseHex(" #0a0B0c ")).toEqual([10, 11, 12]);
    expect(() => parseHex("red")).toThrow("red");
  });
});
