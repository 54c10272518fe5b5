/** Probabilities, log-odds and the prior: a new prior shifts every log-odds by the same amount. */

export function logit(p: number): number {
  return Math.log(p) - Math.log1p(-p);
}

export function probability(logOdds: number): number {
  return logOdds >= 0 ? 1 / (1 + Math.exp(-logOdds)) : Math.exp(logOdds) / (1 + Math.exp(logOdds));
}

/** What to add to log-odds that were computed with the prior `from`, if the prior is `to`. */
export function priorShift(from: number, to: number): number {
  return from === to ? 0 : logit(to) - logit(from);
}

/** The slider of the prior runs over powers of ten, from one pair in a million to every other pair. */
export const PRIOR_LOW = 1e-6;
export const PRIOR_HIGH = 0.5;
export const PRIOR_STEPS = 400;

export function sliderOfPrior(prior: number): number {
  const clipped = Math.min(PRIOR_HIGH, Math.max(PRIOR_LOW, prior));
  const share = Math.log(clipped / PRIOR_LOW) / Math.log(PRIOR_HIGH / PRIOR_LOW);
  return Math.round(share * PRIOR_STEPS);
}

export function priorOfSlider(position: number): number {
  const prior = PRIOR_LOW * (PRIOR_HIGH / PRIOR_LOW) ** (position / PRIOR_STEPS);
  return Number(prior.toPrecision(3));
}

/** How many pairs have no link: the number that a prior is a share of. Null if the page cannot know it. */
export function numUnlinked(graph: {
  nodes: number;
  links: number;
  task: string;
  directed: boolean;
  sides: string[] | null;
}): number | null {
  if (graph.task !== "pairs" || graph.sides !== null) return null;
  const ordered = graph.nodes * (graph.nodes - 1);
  return Math.max(0, (graph.directed ? ordered : ordered / 2) - graph.links);
}

/** The least log-odds, at the model's own prior, of pairs that reach a threshold under the reader's prior. */
export function minLogOdds(threshold: number, shift: number): number | null {
  return threshold <= 0 ? null : logit(Math.min(threshold, 0.9999)) - shift;
}
