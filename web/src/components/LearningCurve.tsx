/** The validation metric while a model is trained. */

const [WIDTH, HEIGHT] = [300, 60];

export function LearningCurve({ points }: { points: { step: number; metric: number }[] }) {
  if (points.length < 2) return null;
  const steps = points.map((point) => point.step);
  const metrics = points.map((point) => point.metric);
  const [low, high] = [Math.min(...metrics), Math.max(...metrics)];
  const [first, last] = [Math.min(...steps), Math.max(...steps)];
  const place = ({ step, metric }: { step: number; metric: number }) => {
    const x = (WIDTH * (step - first)) / Math.max(1, last - first);
    const y = HEIGHT - 4 - ((HEIGHT - 8) * (metric - low)) / Math.max(1e-9, high - low);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  };
  return (
    <svg
      class="curve"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Validation metric from ${(metrics[0] as number).toFixed(3)} to ${(metrics.at(-1) as number).toFixed(3)}`}
    >
      <polyline points={points.map(place).join(" ")} />
    </svg>
  );
}
