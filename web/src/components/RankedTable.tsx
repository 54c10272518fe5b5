/** The ranked pairs: a grid whose rows are chosen with a click, the arrow keys, or j and k. */
import { useEffect, useRef } from "preact/hooks";
import { count, percent } from "../logic/format";
import {
  choose,
  chosenRow,
  isLastPage,
  isLoading,
  list,
  listError,
  nextPage,
  PAGE_ROWS,
  rows,
  step,
} from "../state/list";
import { isDirected, model, nameOf, reloads, shownProbability, verdictOf } from "../state/model";
import { address, go } from "../state/navigation";
import type { Link } from "../types";
import { Left, Right } from "./icons";
import { RowVerdicts } from "./VerdictButtons";

function Names({ link }: { link: Link }) {
  if (link.relation_name !== null) {
    return (
      <span class="names names-fact">
        <span class="clip">{link.source_name}</span>
        <span class="clip">
          <i class="joint">{link.relation_name}</i> {link.target_name}
        </span>
      </span>
    );
  }
  return (
    <span class="names">
      <span class="clip">{link.source_name}</span>
      <span class="joint">{isDirected.value ? "→" : "–"}</span>
      <span class="clip">{link.target_name}</span>
    </span>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-track" width="100" height="4" />
      <rect class="bar-fill" width={100 * share} height="4" />
    </svg>
  );
}

function Row({ link, index, isChosen, isEntry }: { link: Link; index: number; isChosen: boolean; isEntry: boolean }) {
  const p = shownProbability(link);
  const verdict = verdictOf(link);
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "ArrowDown") step(1, "replace");
    else if (event.key === "ArrowUp") step(-1, "replace");
    else if (event.key === "Enter" || event.key === " ") choose(link);
    else return;
    event.preventDefault();
  };
  return (
    <tr
      id={`row-${index}`}
      class={verdict ? `row row-${verdict}` : "row"}
      aria-selected={isChosen}
      tabIndex={isEntry ? 0 : -1}
      onClick={() => choose(link)}
      onKeyDown={press}
    >
      <td class="rank">{link.rank === null ? "" : count(link.rank)}</td>
      <td class="pair" title={nameOf(link)}>
        <Names link={link} />
      </td>
      <td class="chance">
        <span>{percent(p)}</span>
        <Bar share={p} />
      </td>
      <td class="marks">
        <RowVerdicts link={link} isChosen={isChosen} />
      </td>
    </tr>
  );
}

function Empty() {
  const { status, threshold, node } = address.value;
  const isFiltered = status !== "all" || threshold > 0;
  return (
    <div class="empty">
      <p>
        {isFiltered
          ? "No pair matches these filters."
          : node !== null
            ? "This node has no missing link among the candidates."
            : "This model has ranked no pairs."}
      </p>
      {isFiltered && (
        <button type="button" class="button" onClick={() => go({ status: "all", threshold: 0, from: 0 })}>
          Show all pairs
        </button>
      )}
    </div>
  );
}

function Pager() {
  const { from, node } = address.value;
  const found = list.value;
  if (found === null || node !== null || found.total === 0) return null;
  const last = Math.min(from + found.links.length, found.total);
  return (
    <nav class="pager" aria-label="Pages of the list">
      <button
        type="button"
        class="button small"
        disabled={from === 0}
        onClick={() => go({ from: Math.max(0, from - PAGE_ROWS) })}
      >
        <Left /> Previous
      </button>
      <span>
        {count(Math.min(from + 1, last))}–{count(last)} of {count(found.total)}
      </span>
      <button type="button" class="button small" disabled={isLastPage()} onClick={() => nextPage()}>
        Next <Right />
      </button>
    </nav>
  );
}

export function RankedTable() {
  const body = useRef<HTMLTableSectionElement>(null);
  const at = chosenRow.value;
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = document.getElementById(`row-${at}`);
    row?.scrollIntoView({ block: "nearest" });
    // The focus moves with the choice if it is in the table.
    if (row && body.current?.contains(document.activeElement)) row.focus({ preventScroll: true });
  }, [at]);
  const { from, node } = address.value;
  // Another page starts at its first row.
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [from, node]);
  const shown = rows.value;
  if (listError.value !== null && list.value === null) {
    return (
      <div class="empty" role="alert">
        <p>{listError.value}</p>
        <button type="button" class="button" onClick={() => (reloads.value += 1)}>
          Try again
        </button>
      </div>
    );
  }
  return (
    <>
      <div class="table-scroll" ref={scroller} aria-busy={isLoading.value} tabIndex={shown.length === 0 ? 0 : -1}>
        {list.value === null ? (
          <Skeleton />
        ) : shown.length === 0 ? (
          <Empty />
        ) : (
          <table class="ranked" role="grid" aria-label={`Ranked pairs: ${model.value?.candidates ?? ""}`}>
            <thead>
              <tr>
                <th scope="col" class="rank">
                  <span aria-hidden="true">#</span>
                  <span class="sr-only">Rank</span>
                </th>
                <th scope="col">Pair</th>
                <th scope="col" class="chance">
                  Probability
                </th>
                <th scope="col" class="marks">
                  Verdict
                </th>
              </tr>
            </thead>
            <tbody ref={body}>
              {shown.map((link, i) => (
                <Row
                  key={`${link.source}-${link.relation}-${link.target}`}
                  link={link}
                  index={i}
                  isChosen={i === at}
                  isEntry={at < 0 ? i === 0 : i === at}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
      <Pager />
    </>
  );
}

const PLACEHOLDERS = [...Array(12).keys()];

function Skeleton() {
  return (
    <div class="skeleton" role="status" aria-label="The list is loading">
      {PLACEHOLDERS.map((i) => (
        <span key={i} />
      ))}
    </div>
  );
}
