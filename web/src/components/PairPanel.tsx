/** Under the drawing: the chosen pair, or the model if none is chosen. */

import type { View } from "../logic/address";
import { count, percent } from "../logic/format";
import { chosen, chosenLink } from "../state/explanations";
import { judge } from "../state/keys";
import { choose, chosenRow, isLastPage, rows, step } from "../state/list";
import { isDirected, model, nameOf, numStored, queryKey, shownProbability, undo, verdicts } from "../state/model";
import { address, go } from "../state/navigation";
import type { Link } from "../types";
import { Compare } from "./Compare";
import { Cross, Left, Pin, Right, Undo } from "./icons";
import { Overview } from "./Overview";
import { ReliabilityPlot } from "./ReliabilityPlot";
import { Tabs } from "./Tabs";
import { PairVerdicts } from "./VerdictButtons";
import { WhatIf } from "./WhatIf";
import { Why } from "./Why";

const VIEWS: [View, string][] = [
  ["why", "Why"],
  ["what-if", "What if"],
  ["compare", "Compare"],
  ["reliability", "Reliability"],
];

function Title({ link }: { link: Link }) {
  return (
    <h2 class="pair-title" title={nameOf(link)}>
      <button
        type="button"
        class="name"
        title={`Missing links of ${link.source_name}`}
        onClick={() => go({ node: link.source, from: 0 })}
      >
        {link.source_name}
      </button>
      <span class="joint">{link.relation_name ?? (isDirected.value ? "→" : "–")}</span>
      <button
        type="button"
        class="name"
        title={`Missing links of ${link.target_name}`}
        onClick={() => go({ node: link.target, from: 0 })}
      >
        {link.target_name}
      </button>
    </h2>
  );
}

function Head({ link }: { link: Link }) {
  const { pinned, pair } = address.value;
  const isPinned = pinned !== null && pair !== null && queryKey(pinned) === queryKey(pair);
  // Whether something can be undone is known to the verdicts, which tell so by the number of stored ones.
  void numStored.value;
  return (
    <header class="pair-head">
      <div class="pair-names">
        <Title link={link} />
        <p class="pair-rank">
          {link.is_link
            ? "Already a link of the graph."
            : link.rank === null
              ? "Not among the ranked pairs."
              : `Rank ${count(link.rank)} of ${count(model.value?.ranked ?? 0)}`}
        </p>
      </div>
      <p class="pair-chance">
        <b>{percent(shownProbability(link))}</b>
        <small>probability</small>
      </p>
      <div class="pair-actions">
        {!link.is_link && <PairVerdicts link={link} judge={judge} />}
        <div class="pair-steps">
          <button
            type="button"
            class="button quiet square"
            aria-label="Previous pair"
            title="Previous pair (k)"
            disabled={chosenRow.value === 0 && address.value.from === 0}
            onClick={() => step(-1)}
          >
            <Left />
          </button>
          <button
            type="button"
            class="button quiet square"
            aria-label="Next pair"
            title="Next pair (j)"
            disabled={chosenRow.value === rows.value.length - 1 && isLastPage()}
            onClick={() => step(1)}
          >
            <Right />
          </button>
          <button
            type="button"
            class="button quiet square"
            aria-label="Undo the last verdict"
            title="Undo (u)"
            disabled={!verdicts.canUndo}
            onClick={undo}
          >
            <Undo />
          </button>
          <button
            type="button"
            class="button quiet square"
            aria-pressed={isPinned}
            aria-label="Pin to compare"
            title="Pin to compare"
            onClick={() => go({ pinned: isPinned ? null : pair })}
          >
            <Pin />
          </button>
          <button
            type="button"
            class="button quiet square"
            aria-label="Close this pair"
            title="Close (Esc)"
            onClick={() => choose(null)}
          >
            <Cross />
          </button>
        </div>
      </div>
    </header>
  );
}

export function PairPanel() {
  const { view, pair } = address.value;
  if (pair === null) return <Overview />;
  const link = chosenLink.value;
  return (
    <section class="panel pair-panel" aria-label="The chosen pair">
      {link ? (
        <Head link={link} />
      ) : (
        <header class="pair-head">
          <h2 class="pair-title">{chosen.value?.error ? "This pair cannot be shown" : "Loading the pair…"}</h2>
        </header>
      )}
      <Tabs
        label="About this pair"
        tabs={VIEWS}
        current={view}
        choose={(next) => go({ view: next }, "replace")}
        panel="pair-view"
      />
      <div class="pair-view" id="pair-view" role="tabpanel" aria-labelledby={`pair-view-${view}`} tabIndex={0}>
        {view === "why" && <Why />}
        {view === "what-if" && <WhatIf />}
        {view === "compare" && <Compare />}
        {view === "reliability" && <ReliabilityPlot />}
      </div>
    </section>
  );
}
