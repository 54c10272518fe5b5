/** The open model, the prior, and what the reader decided. */
import { computed, signal } from "@preact/signals";
import * as api from "../api";
import type { Query } from "../logic/address";
import { linkName } from "../logic/format";
import { priorShift, probability } from "../logic/odds";
import { keyOf, Verdicts } from "../logic/verdicts";
import type { Counts, Link, Model, Verdict } from "../types";
import { address, go } from "./navigation";
import { announce, notify } from "./notices";

export const model = signal<Model | null>(null);
export const modelError = signal<string | null>(null);
export const counts = signal<Counts | null>(null);

export const isDirected = computed(() => model.value?.graph.directed ?? false);
const isSymmetric = computed(() => model.value?.graph.task === "pairs" && !isDirected.value);

export const prior = computed(() => address.value.prior ?? model.value?.prior ?? 0.01);
export const shift = computed(() => (model.value ? priorShift(model.value.prior, prior.value) : 0));

/** The probability of a link under the reader's prior. */
export function shownProbability(link: Link): number {
  return shift.value === 0 ? link.probability : probability(link.log_odds + shift.value);
}

export function nameOf(link: Link): string {
  return linkName(link, isDirected.value);
}

export async function loadModel(): Promise<void> {
  try {
    openModel(await api.fetchModel());
  } catch (error) {
    modelError.value = api.sentence(error);
  }
}

export function openModel(next: Model): void {
  given.value = new Map();
  verdicts.forget();
  model.value = next;
  modelError.value = null;
  counts.value = next.counts;
  document.title = `${next.name} · linkwl`;
}

/** Another model: nothing that was chosen in the last one has a meaning in it. */
export function openOtherModel(next: Model): void {
  go({ pair: null, pinned: null, node: null, relation: null, prior: null, threshold: 0, from: 0, status: "all" });
  openModel(next);
}

const given = signal(new Map<string, Verdict | null>());
/** Counts up with every stored verdict; what depends on them on the server is then asked for again. */
export const numStored = signal(0);

export function queryKey(query: Query): string {
  return keyOf(query, isSymmetric.value);
}

export function verdictOf(link: Link): Verdict | null {
  const mine = given.value.get(queryKey(link));
  return mine === undefined ? link.verdict : mine;
}

export const verdicts = new Verdicts({
  put: api.putVerdict,
  show: (query, verdict) => {
    given.value = new Map(given.value).set(queryKey(query), verdict);
  },
  counted: (next) => {
    counts.value = next;
    numStored.value += 1;
  },
  failed: (change, error) => {
    notify(`The verdict was not kept. ${api.sentence(error)}`, "error", {
      label: "Try again",
      run: () => void verdicts.decide(change.query, change.before, change.after),
    });
  },
});

const SAID: Record<Verdict, string> = { accepted: "accepted", rejected: "rejected", later: "kept for later" };

/** Gives a verdict; the same one twice takes it back. */
export function decide(link: Link, verdict: Verdict): void {
  const before = verdictOf(link);
  const after = before === verdict ? null : verdict;
  void verdicts.decide({ source: link.source, target: link.target, relation: link.relation }, before, after);
  announce(`${nameOf(link)}: ${after ? SAID[after] : "verdict taken back"}.`);
}

/** Takes the last verdict back, and chooses its pair. */
export function undo(): void {
  const undone = verdicts.undo();
  if (undone === null) {
    announce("Nothing to undo.");
    return;
  }
  go({ pair: undone.change.query }, "replace");
  announce(`Undone: ${undone.change.after ? SAID[undone.change.after] : "no verdict"}.`);
}

export async function importFile(file: File): Promise<void> {
  try {
    const { imported, counts: next } = await api.importVerdicts(file);
    given.value = new Map();
    verdicts.forget();
    counts.value = next;
    numStored.value += 1;
    reloads.value += 1;
    notify(`${imported} verdicts were imported from ${file.name}.`);
  } catch (error) {
    notify(`${file.name} was not imported. ${api.sentence(error)}`, "error");
  }
}

/** Counts up when the list must be asked for again although the address is the same. */
export const reloads = signal(0);
