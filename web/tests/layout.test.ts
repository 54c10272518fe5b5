import iterate from "graphology-layout-forceatlas2/iterate.js";
import { describe, expect, it } from "vitest";
import { edgeMatrix, layoutSettings, nodeMatrix, PER_NODE, positionsOf, startPositions } from "../src/logic/layout";

describe("layout", () => {
  it("starts with high degrees inside", () => {
    const distance = startPositions([1, 5, 3]).map(([x, y]) => Math.hypot(x, y));
    expect(distance[1]).toBeLessThan(distance[2] as number);
    expect(distance[2]).toBeLessThan(distance[0] as number);
  });

  it("packs edges as offsets, without loops", () => {
    expect([...edgeMatrix([0, 2, 1, 1])]).toEqual([0, 2 * PER_NODE, 1]);
  });

  it("brings two triangles apart and their nodes together", () => {
    const edges = [0, 1, 1, 2, 2, 0, 3, 4, 4, 5, 5, 3];
    const degree = [2, 2, 2, 2, 2, 2];
    const nodes = nodeMatrix(degree, startPositions(degree));
    for (let i = 0; i < 300; i++) iterate(layoutSettings(6), nodes, edgeMatrix(edges));
    const p = positionsOf(nodes);
    const at = (i: number) => [p[2 * i] as number, p[2 * i + 1] as number] as const;
    const between = (i: number, j: number) => Math.hypot(at(i)[0] - at(j)[0], at(i)[1] - at(j)[1]);
    expect([...p].every(Number.isFinite)).toBe(true);
    expect(Math.max(between(0, 1), between(1, 2), between(3, 4))).toBeLessThan(between(0, 3));
  });
});
