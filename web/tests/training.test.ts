import { describe, expect, it, vi } from "vitest";

vi.mock("../src/state/model", () => ({ openOtherModel: () => {}, reloads: { value: 0 } }));
const { readingOptions } = await import("../src/state/training");

describe("training", () => {
  const open = { source: "", target: "", relation: "", direction: "auto", sides: "one" } as const;

  it("leaves open what the reader left open", () => {
    expect(readingOptions(open)).toEqual({});
    expect(readingOptions({ ...open, source: "a" })).toEqual({});
  });

  it("sends what was chosen", () => {
    const chosen = { ...open, source: "a", target: "b", direction: "undirected", sides: "two" } as const;
    expect(readingOptions(chosen)).toEqual({ source: "a", target: "b", directed: false, bipartite: true });
  });

  it("asks for facts without direction or sides, which facts have anyway", () => {
    const facts = { source: "h", target: "t", relation: "r", direction: "directed", sides: "two" } as const;
    expect(readingOptions(facts)).toEqual({ source: "h", target: "t", relation: "r" });
  });
});
