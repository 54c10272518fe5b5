/** The ranked list, and which of its rows is chosen. */
import { computed, effect, signal, untracked } from "@preact/signals";
import * as api from "../api";
import { type Query, sameQuery } from "../logic/address";
import { minLogOdds } from "../logic/odds";
import type { Link, Node, Status, Verdict } from "../types";
import { model, nameOf, queryKey, reloads, shift, shownProbability, verdictOf } from "./model";
import { address, go, isNarrow } from "./navigation";
import { announce } from "./notices";

export const PAGE_ROWS = 50;

interface List {
  links: Link[];
  total: number;
  node: Node | null;
}

export const list = signal<List | null>(null);
export const listError = signal<string | null>(null);
export const isLoading = signal(false);

export function matches(status: Status, verdict: Verdict | null): boolean {
  return status === "all" || (status === "open" ? verdict === null : verdict === status);
}

/** The rows of the page. A row that has just got a verdict stays until the list is asked for again. */
export const rows = computed<Link[]>(() => {
  const { node, status, threshold } = address.value;
  const found = list.value;
  if (found === null) return [];
  const likely = found.links.filter((link) => shownProbability(link) >= threshold);
  // The server filters the list; the answer about one node is filtered here, by what it said when it was asked.
  return node === null || status === "all" ? likely : likely.filter((link) => matches(status, link.verdict));
});

const wanted = computed(() => {
  if (model.value === null) return null;
  const { node, status, relation, threshold, from } = address.value;
  const least = node === null ? minLogOdds(threshold, shift.value) : null;
  const digest = `${model.value.graph.digest}/${model.value.model.digest}`;
  return JSON.stringify({ digest, node, status, relation, least, from: node === null ? from : 0, n: reloads.value });
});

let running: AbortController | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

effect(() => {
  const key = wanted.value;
  if (key === null) return;
  running?.abort();
  clearTimeout(timer);
  const controller = new AbortController();
  running = controller;
  untracked(() => {
    isLoading.value = true;
    // A dragged slider asks when it rests.
    timer = setTimeout(() => void load(JSON.parse(key), controller.signal), list.value === null ? 0 : 90);
  });
});

interface Wanted {
  node: number | null;
  status: Status;
  relation: number | null;
  least: number | null;
  from: number;
}

async function load({ node, status, relation, least, from }: Wanted, signal: AbortSignal): Promise<void> {
  try {
    if (node === null) {
      const filter = { offset: from, limit: PAGE_ROWS, status, relation, min_log_odds: least };
      const { total, links } = await api.fetchLinks(filter, signal);
      list.value = { total, links, node: null };
      announce(`${total} pairs in the list.`);
    } else {
      const answer = await api.fetchNodeLinks(node, relation, PAGE_ROWS, signal);
      list.value = { total: answer.links.length, links: answer.links, node: answer.node };
      announce(`The likeliest missing links of ${answer.node.name}.`);
    }
    listError.value = null;
    isLoading.value = false;
    chooseAwaited();
  } catch (error) {
    if (api.isAbort(error)) return;
    listError.value = api.sentence(error);
    isLoading.value = false;
  }
}

export const chosenRow = computed(() => {
  const { pair } = address.value;
  return pair === null ? -1 : rows.value.findIndex((link) => queryKey(link) === queryKey(pair));
});

export function choose(query: Query | null): void {
  const next = query && { source: query.source, target: query.target, relation: query.relation };
  if (sameQuery(next, address.value.pair)) {
    if (isNarrow.value && next) go({ tab: "pair" });
    return;
  }
  go({ pair: next, ...(isNarrow.value ? { tab: next ? "pair" : "list" } : {}) });
}

/** Chooses the next row, or the one before. */
export function step(by: 1 | -1, how: "push" | "replace" = "push"): void {
  const at = chosenRow.value;
  const to = at < 0 ? (by > 0 ? 0 : rows.value.length - 1) : at + by;
  const link = rows.value[to];
  if (link === undefined) {
    turnPage(by);
    return;
  }
  const pair = { source: link.source, target: link.target, relation: link.relation };
  go({ pair, ...(isNarrow.value ? { tab: "pair" as const } : {}) }, how);
  announce(`${nameOf(link)}, ${(100 * shownProbability(link)).toFixed(1)} percent.`);
}

/** Which row to choose when the page that was asked for is there. */
let awaited: "first" | "last" | null = null;

export function isLastPage(): boolean {
  const { node, from } = address.value;
  const found = list.value;
  return node !== null || found === null || from + found.links.length >= found.total;
}

function turnPage(by: 1 | -1): void {
  const { node, from } = address.value;
  if (by > 0 ? isLastPage() : node !== null || from === 0) {
    announce(by > 0 ? "This was the last pair of the list." : "This was the first pair of the list.");
    return;
  }
  awaited = by > 0 ? "first" : "last";
  if (by > 0) nextPage();
  else go({ from: Math.max(0, from - PAGE_ROWS) });
}

function chooseAwaited(): void {
  const link = awaited === null ? undefined : rows.value.at(awaited === "first" ? 0 : -1);
  awaited = null;
  if (link) go({ pair: { source: link.source, target: link.target, relation: link.relation } }, "replace");
}

/** The next page begins after the rows that still match: the server no longer counts the others. */
export function nextPage(): void {
  const { from, status } = address.value;
  const still = (list.value?.links ?? []).filter((link) => matches(status, verdictOf(link))).length;
  if (still === 0) reloads.value += 1;
  else go({ from: from + still });
}
