import { describe, expect, it } from "vitest";
import {
  logit,
  minLogOdds,
  numUnlinked,
  PRIOR_STEPS,
  priorOfSlider,
  priorShift,
  probability,
  sliderOfPrior,
} from "../src/logic/odds";

describe("odds", () => {
  it("inverts the logit, far out, too", () => {
    for (const p of [1e-9, 0.01, 0.5, 0.9, 1 - 1e-9]) expect(probability(logit(p))).toBeCloseTo(p, 12);
    expect(probability(800)).toBe(1);
    expect(probability(-800)).toBe(0);
  });

  it("shifts probabilities as Bayes' rule does", () => {
    // With likelihood ratio L, p = prior L / (prior L + 1 - prior).
    const bayes = (prior: number, ratio: number) => (prior * ratio) / (prior * ratio + 1 - prior);
    const before = bayes(0.02, 30);
    expect(probability(logit(before) + priorShift(0.02, 0.3))).toBeCloseTo(bayes(0.3, 30), 12);
    expect(priorShift(0.02, 0.02)).toBe(0);
  });

  it("moves the slider over powers of ten and back", () => {
    for (const position of [0, 1, 77, 200, PRIOR_STEPS]) expect(sliderOfPrior(priorOfSlider(position))).toBe(position);
    expect(priorOfSlider(PRIOR_STEPS)).toBe(0.5);
    expect(sliderOfPrior(1e-12)).toBe(0);
    expect(sliderOfPrior(0.99)).toBe(PRIOR_STEPS);
  });

  it("counts the pairs without a link", () => {
    const graph = { nodes: 4, links: 2, task: "pairs", directed: false, sides: null };
    expect(numUnlinked(graph)).toBe(4);
    expect(numUnlinked({ ...graph, directed: true })).toBe(10);
    expect(numUnlinked({ ...graph, sides: ["buyers", "items"] })).toBeNull();
    expect(numUnlinked({ ...graph, task: "triples" })).toBeNull();
  });

  it("turns a threshold under the reader's prior into one under the model's", () => {
    expect(minLogOdds(0, 1)).toBeNull();
    expect(minLogOdds(0.5, 1.5)).toBeCloseTo(-1.5, 12);
    expect(minLogOdds(1, 0)).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
