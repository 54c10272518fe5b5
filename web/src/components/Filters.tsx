/** Above the list: which pairs it shows, and the prior. */
import { count, oneIn, percent } from "../logic/format";
import { numUnlinked, PRIOR_STEPS, priorOfSlider, sliderOfPrior } from "../logic/odds";
import { list } from "../state/list";
import { counts, model, prior } from "../state/model";
import { address, go } from "../state/navigation";
import type { Status } from "../types";
import { Cross } from "./icons";

const LABELS: [Status, string][] = [
  ["all", "All"],
  ["open", "Open"],
  ["accepted", "Accepted"],
  ["rejected", "Rejected"],
  ["later", "Later"],
];

function StatusFilter() {
  const known = counts.value;
  return (
    <fieldset class="segments">
      <legend class="sr-only">Which pairs to list</legend>
      {LABELS.map(([status, label]) => (
        <label key={status} class="segment">
          <input
            type="radio"
            name="status"
            value={status}
            checked={address.value.status === status}
            onChange={() => go({ status, from: 0 })}
          />
          <span>
            {label}
            {known && status !== "all" && <small> {count(known[status])}</small>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Threshold() {
  const value = address.value.threshold;
  return (
    <div class="slider">
      <label for="threshold">
        At least <output>{value === 0 ? "any probability" : percent(value)}</output>
      </label>
      <input
        id="threshold"
        type="range"
        min="0"
        max="0.99"
        step="0.01"
        value={value}
        aria-valuetext={value === 0 ? "any probability" : percent(value)}
        onInput={(event) => go({ threshold: Number(event.currentTarget.value), from: 0 }, "replace")}
      />
    </div>
  );
}

function Prior() {
  const open = model.value;
  if (open === null) return null;
  const pairs = numUnlinked(open.graph);
  const share = `${oneIn(prior.value)} ${open.graph.task === "pairs" ? "pairs" : "possible facts"}`;
  const text = pairs === null ? share : `about ${count(prior.value * pairs)} links, ${share}`;
  const isOwn = address.value.prior !== null;
  return (
    <div class="slider">
      <label for="prior">
        How many links do you think are missing? <output>{text}</output>
      </label>
      <div class="slider-row">
        <input
          id="prior"
          type="range"
          min="0"
          max={PRIOR_STEPS}
          step="1"
          value={sliderOfPrior(prior.value)}
          aria-valuetext={text}
          onInput={(event) => go({ prior: priorOfSlider(Number(event.currentTarget.value)) }, "replace")}
        />
        <button
          type="button"
          class="button quiet small"
          disabled={!isOwn}
          onClick={() => go({ prior: null }, "replace")}
        >
          Reset
        </button>
      </div>
    </div>
  );
}

function Relations() {
  const relations = model.value?.graph.relations;
  if (!relations || relations.length < 2) return null;
  return (
    <div class="field">
      <label class="field-label" for="relation">
        Relation
      </label>
      <select
        id="relation"
        value={address.value.relation ?? ""}
        onChange={(event) => {
          const { value } = event.currentTarget;
          go({ relation: value === "" ? null : Number(value), from: 0 });
        }}
      >
        <option value="">All {count(relations.length)} relations</option>
        {relations.map((name, i) => (
          <option key={name} value={i}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function NodeBanner() {
  const { node } = address.value;
  if (node === null) return null;
  const about = list.value?.node;
  return (
    <div class="banner">
      <span class="clip">
        Likeliest missing links of <b>{about?.id === node ? about.name : "…"}</b>
      </span>
      <button type="button" class="button quiet small" onClick={() => go({ node: null, from: 0 })}>
        <Cross /> All nodes
      </button>
    </div>
  );
}

export function Filters() {
  return (
    <section class="filters" aria-label="Filters">
      <StatusFilter />
      <Prior />
      <Threshold />
      <Relations />
      <NodeBanner />
    </section>
  );
}
