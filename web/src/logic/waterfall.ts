/** Where the bars of a waterfall begin and end: baseline, one step per group, and the score that they add up to. */

export interface Bar {
  label: string;
  kind: "baseline" | "group" | "rest" | "score";
  /** What the bar adds; of baseline and score, their value. */
  value: number;
  /** From the smaller to the larger end, both between 0 and 1. */
  start: number;
  end: number;
  /** Where the running sum is after this bar, between 0 and 1: the next bar begins there. */
  running: number;
}

export interface Waterfall {
  bars: Bar[];
  /** Where zero is, between 0 and 1. */
  zero: number;
}

/** Contributions that do not add up to the score (rounding, groups left out) are closed by one bar more. */
export function waterfall(
  baseline: number,
  parts: { label: string; contribution: number }[],
  score: number,
  range?: [number, number],
): Waterfall {
  const steps: [string, Bar["kind"], number, number][] = [["Baseline", "baseline", 0, baseline]];
  let sum = baseline;
  for (const { label, contribution } of parts) {
    steps.push([label, "group", sum, sum + contribution]);
    sum += contribution;
  }
  const rest = score - sum;
  if (Math.abs(rest) > 1e-3 * Math.max(1, Math.abs(score), Math.abs(baseline))) {
    steps.push(["Everything else", "rest", sum, score]);
  }
  steps.push(["Score", "score", 0, score]);
  const [low, high] = range ?? waterfallRange(baseline, parts, score);
  const place = (value: number) => (value - low) / (high - low);
  const bars = steps.map(([label, kind, from, to]) => ({
    label,
    kind,
    value: to - from,
    start: place(Math.min(from, to)),
    end: place(Math.max(from, to)),
    running: place(to),
  }));
  return { bars, zero: place(0) };
}

/** The least and greatest value that a waterfall reaches; zero is always inside. */
export function waterfallRange(baseline: number, parts: { contribution: number }[], score: number): [number, number] {
  let [low, high, sum] = [Math.min(0, baseline, score), Math.max(0, baseline, score), baseline];
  for (const { contribution } of parts) {
    sum += contribution;
    low = Math.min(low, sum);
    high = Math.max(high, sum);
  }
  return high > low ? [low, high] : [low - 1, high + 1];
}
