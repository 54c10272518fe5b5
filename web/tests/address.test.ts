import { describe, expect, it } from "vitest";
import { type Address, formatAddress, parseAddress, parseQuery, START, sameQuery } from "../src/logic/address";

describe("address", () => {
  it("is empty at the start", () => {
    expect(formatAddress(START)).toBe("");
    expect(parseAddress("")).toEqual(START);
  });

  it("keeps everything that was chosen", () => {
    const chosen: Address = {
      pair: { source: 3, target: 9, relation: null },
      pinned: { source: 4, target: 1, relation: 2 },
      node: 0,
      status: "open",
      relation: 0,
      threshold: 0.35,
      prior: 0.0123,
      from: 100,
      view: "what-if",
      tab: "pair",
      theme: "dark",
    };
    expect(parseAddress(formatAddress(chosen))).toEqual(chosen);
    expect(formatAddress(chosen)).toContain("pair=3-9");
    expect(formatAddress(chosen)).toContain("pinned=4-2-1");
  });

  it("reads what is malformed as if it were missing", () => {
    for (const bad of ["pair=3", "pair=-1-2", "pair=a-b", "pair=1-2-3-4", "node=-1", "node=1.5", "threshold=2"]) {
      expect(parseAddress(`#${bad}`)).toEqual(START);
    }
    for (const bad of ["prior=0", "prior=1", "prior=x", "from=", "status=maybe", "view=%3Cscript%3E", "theme=pink"]) {
      expect(parseAddress(`#${bad}`)).toEqual(START);
    }
  });

  it("compares queries by value", () => {
    expect(sameQuery(parseQuery("1-2"), { source: 1, target: 2, relation: null })).toBe(true);
    expect(sameQuery(parseQuery("1-2"), parseQuery("2-1"))).toBe(false);
    expect(sameQuery(null, null)).toBe(true);
    expect(sameQuery(null, parseQuery("1-2"))).toBe(false);
  });
});
