/** Predicted probability against the observed share: on hidden links, and by the reader's own verdicts. */
import { useEffect } from "preact/hooks";
import { count, percent } from "../logic/format";
import { interval } from "../logic/reliability";
import { model, numStored } from "../state/model";
import { address } from "../state/navigation";
import { loadReliability, reliability, reliabilityError } from "../state/reliability";
import type { Bin } from "../types";

const SIZE = 220;
const EDGE = 40;
const TICKS = [0, 0.25, 0.5, 0.75, 1];

const x = (p: number) => EDGE + p * SIZE;
const y = (p: number) => 10 + (1 - p) * SIZE;

function Point({ bin, kind }: { bin: Bin; kind: "model" | "own" }) {
  const [low, high] = interval(bin.observed, bin.count);
  return (
    <g class={`reliability-${kind}`}>
      <line x1={x(bin.predicted)} x2={x(bin.predicted)} y1={y(low)} y2={y(high)} />
      {kind === "model" ? (
        <circle cx={x(bin.predicted)} cy={y(bin.observed)} r="4" />
      ) : (
        <rect
          x={x(bin.predicted) - 4}
          y={y(bin.observed) - 4}
          width="8"
          height="8"
          transform={`rotate(45 ${x(bin.predicted)} ${y(bin.observed)})`}
        />
      )}
    </g>
  );
}

function Rows({ bins, name }: { bins: Bin[]; name: string }) {
  return (
    <>
      {bins.map((bin) => (
        <tr key={`${name} ${bin.low} ${bin.predicted}`}>
          <th scope="row">{name}</th>
          <td>{percent(bin.predicted)}</td>
          <td>{percent(bin.observed)}</td>
          <td>{count(bin.count)}</td>
        </tr>
      ))}
    </>
  );
}

export function ReliabilityPlot() {
  const digest = model.value && model.value.graph.digest + model.value.model.digest;
  const stored = numStored.value;
  // Asked for again after every verdict.
  useEffect(() => void loadReliability(), [digest, stored]);
  const data = reliability.value;
  if (data === null) {
    return (
      <p class="hint" role={reliabilityError.value ? "alert" : "status"}>
        {reliabilityError.value ?? "Loading…"}
      </p>
    );
  }
  const model_bins = data.bins.filter((bin) => bin.count > 0);
  const own = data.own.filter((bin) => bin.count > 0);
  const numOwn = own.reduce((sum, bin) => sum + bin.count, 0);
  return (
    <div class="reliability">
      <svg
        viewBox={`0 0 ${EDGE + SIZE + 12} ${SIZE + 46}`}
        class="reliability-plot"
        role="img"
        aria-label="Reliability: predicted probability against observed share; the numbers follow as a table."
      >
        {TICKS.map((tick) => (
          <g key={tick} class="reliability-axis">
            <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
            <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
            <text x={x(tick)} y={y(0) + 14} text-anchor="middle">
              {100 * tick}
            </text>
            <text x={x(0) - 6} y={y(tick) + 4} text-anchor="end">
              {100 * tick}
            </text>
          </g>
        ))}
        <line class="reliability-ideal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        {model_bins.map((bin) => (
          <Point key={bin.low} bin={bin} kind="model" />
        ))}
        {own.map((bin) => (
          <Point key={bin.low} bin={bin} kind="own" />
        ))}
        <text x={x(0.5)} y={SIZE + 40} text-anchor="middle" class="reliability-name">
          predicted probability, %
        </text>
        <text x={-y(0.5)} y="9" text-anchor="middle" transform="rotate(-90)" class="reliability-name">
          observed share, %
        </text>
      </svg>
      <div class="reliability-words">
        <p>
          Of the pairs with a probability of 30 %, about three in ten should be links: then the points lie on the
          diagonal. The lines are 95 % intervals.
        </p>
        <ul class="legend">
          <li class="legend-model">hidden links{model_bins.length === 0 && ": not measured for this model"}</li>
          <li class="legend-own">
            your verdicts:{" "}
            {numOwn === 0
              ? "none yet; accept or reject pairs and they appear here"
              : `${count(numOwn)} accepted or rejected`}
          </li>
        </ul>
        {address.value.prior !== null && <p class="hint">Shown at the model's own prior, not at yours.</p>}
        <details>
          <summary>The numbers</summary>
          <table class="changes">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Predicted</th>
                <th scope="col">Observed</th>
                <th scope="col">Pairs</th>
              </tr>
            </thead>
            <tbody>
              <Rows bins={model_bins} name="hidden links" />
              <Rows bins={own} name="your verdicts" />
            </tbody>
          </table>
        </details>
      </div>
    </div>
  );
}
