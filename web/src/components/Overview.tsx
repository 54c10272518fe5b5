/** What stands under the drawing while no pair is chosen. */
import { count } from "../logic/format";
import { rows, step } from "../state/list";
import { counts, model } from "../state/model";
import { ReliabilityPlot } from "./ReliabilityPlot";

export function Overview() {
  const open = model.value;
  if (open === null) return <section class="panel" aria-label="Overview" />;
  const known = counts.value;
  return (
    <section class="panel overview" aria-label="Overview">
      <div class="overview-words">
        <h2>What is missing from {open.name}?</h2>
        <p>
          The list holds the {count(open.ranked)} likeliest of {open.candidates}. Choose a pair to see why, then accept
          it, reject it, or keep it for later.
        </p>
        <p>
          <button type="button" class="button primary" disabled={rows.value.length === 0} onClick={() => step(1)}>
            Start with the likeliest pair <kbd>j</kbd>
          </button>
        </p>
        <dl class="figures">
          {open.metrics.map((metric) => (
            <div key={metric.id}>
              <dt>{metric.label}</dt>
              <dd>
                {metric.value.toFixed(3)}
                {metric.low !== null && metric.high !== null && (
                  <small>
                    {metric.low.toFixed(3)} to {metric.high.toFixed(3)}
                  </small>
                )}
              </dd>
            </div>
          ))}
          {known && (
            <div>
              <dt>Your verdicts</dt>
              <dd>
                {count(known.accepted + known.rejected + known.later)}
                <small>
                  {count(known.accepted)} yes, {count(known.rejected)} no
                </small>
              </dd>
            </div>
          )}
        </dl>
      </div>
      <div class="overview-plot">
        <h3>Can the probabilities be trusted?</h3>
        <ReliabilityPlot />
      </div>
    </section>
  );
}
