/** The upload and training of a model: one job on the server, followed from the file to the open model. */
import { computed, effect, signal } from "@preact/signals";
import * as api from "../api";
import type { Job, JobState, Progress } from "../types";
import { openOtherModel, reloads } from "./model";
import { announce, notify } from "./notices";
import { openWindow } from "./windows";

export const job = signal<Job | null>(null);
/** Whether the job trains on the open graph again, with the verdicts. */
export const isAgain = signal(false);
export const problem = signal<string | null>(null);
export const isBusy = signal(false);

/** How to read the file, as far as the reader has said so. */
export interface Reading {
  source: string;
  target: string;
  relation: string;
  direction: "auto" | "directed" | "undirected";
  sides: "one" | "two";
}

const AS_RECOGNISED: Reading = { source: "", target: "", relation: "", direction: "auto", sides: "one" };
export const reading = signal<Reading>(AS_RECOGNISED);

/** The options of a request; what the reader left open is recognised by the server. */
export function readingOptions({ source, target, relation, direction, sides }: Reading): Record<string, unknown> {
  return {
    ...(source && target ? { source, target } : {}),
    ...(relation ? { relation } : {}),
    ...(direction === "auto" || relation ? {} : { directed: direction === "directed" }),
    ...(sides === "two" && !relation ? { bipartite: true } : {}),
  };
}
/** The metric after every step that was reported, for the curve. */
export const curve = signal<{ step: number; metric: number }[]>([]);

const SAID: Record<JobState, string> = {
  reading: "The file is being read.",
  read: "The file was read.",
  training: "Training has begun.",
  finished: "The model is trained.",
  failed: "The job has failed.",
  cancelled: "The job was stopped.",
};

let following: AbortController | null = null;

export const stage = computed<"file" | "reading" | "options" | "training" | "ended">(() => {
  const { state, inspection, progress } = job.value ?? {};
  if (state === undefined) return "file";
  if (state === "reading") return "reading";
  // A file that was not read with these columns may be read with others.
  if (state === "read" || (state === "failed" && inspection?.columns && !progress)) return "options";
  return state === "training" ? "training" : "ended";
});

/** What the button in the header says while a job goes on behind a closed window. */
export const label = computed(() => {
  const { state, progress } = job.value ?? {};
  if (state === "finished") return "Trained";
  if (state !== "training") return "Upload";
  return progress && progress.steps > 0
    ? `Training ${Math.round((100 * progress.step) / progress.steps)} %`
    : "Training";
});

async function run(action: () => Promise<void>): Promise<void> {
  problem.value = null;
  isBusy.value = true;
  try {
    await action();
  } catch (error) {
    if (!api.isAbort(error)) problem.value = api.sentence(error);
  } finally {
    isBusy.value = false;
  }
}

function hear(what: { job: Job } | { progress: Progress }): void {
  if ("job" in what) {
    const before = job.value?.state;
    job.value = what.job;
    if (before !== what.job.state) announce(SAID[what.job.state]);
    if (what.job.state === "read") following?.abort();
    return;
  }
  const { progress } = what;
  if (job.value) job.value = { ...job.value, progress };
  if (progress.metric !== null && curve.value.at(-1)?.step !== progress.step) {
    curve.value = [...curve.value, { step: progress.step, metric: progress.metric }];
  }
}

function follow(id: string): void {
  following?.abort();
  following = new AbortController();
  api.followJob(id, hear, following.signal).catch((error) => {
    if (!api.isAbort(error)) problem.value = api.sentence(error);
  });
}

/** A page that is loaded again finds its job again. */
const REMEMBERED = "linkwl-job";

function remember(id: string | null): void {
  try {
    if (id === null) sessionStorage.removeItem(REMEMBERED);
    else sessionStorage.setItem(REMEMBERED, `${isAgain.value ? "again" : "file"} ${id}`);
  } catch {
    // Then a reload forgets the job, and the server lets it expire.
  }
}

export async function resume(): Promise<void> {
  try {
    const [kind, id] = (sessionStorage.getItem(REMEMBERED) ?? "").split(" ");
    if (!id) return;
    const found = await api.fetchJob(id);
    isAgain.value = kind === "again";
    take(found);
  } catch {
    remember(null);
  }
}

effect(() => {
  if (job.value !== null) remember(job.value.id);
});

function forgetJob(): void {
  job.value = null;
  curve.value = [];
  remember(null);
}

function take(next: Job): void {
  job.value = next;
  curve.value = [];
  if (next.state === "reading" || next.state === "training") follow(next.id);
}

export function upload(file: File): Promise<void> {
  return run(async () => {
    following?.abort();
    following = new AbortController();
    reading.value = AS_RECOGNISED;
    isAgain.value = false;
    take(await api.uploadGraph(file, following.signal));
  });
}

let readings: Promise<void> = Promise.resolve();

/** Reads the file again, with other columns or as another kind of graph. */
export function readAgain(change: Partial<Reading>): Promise<void> {
  const { source = "", target = "" } = job.value?.inspection?.chosen ?? {};
  const chosen = {
    ...reading.value,
    source: reading.value.source || source || "",
    target: reading.value.target || target || "",
  };
  const wanted = { ...chosen, ...change };
  reading.value = wanted;
  // One after the other; a change that was changed again is skipped.
  readings = readings.then(() =>
    run(async () => {
      const { value } = job;
      if (value === null || reading.value !== wanted || wanted.source === wanted.target) return;
      take(await api.readJobAgain(value.id, readingOptions(wanted)));
    }),
  );
  return readings;
}

export function retrain(): Promise<void> {
  return run(async () => {
    isAgain.value = true;
    take(await api.startRetraining());
  });
}

export function train(request: api.TrainRequest): Promise<void> {
  return run(async () => {
    const { value } = job;
    if (value) take(await api.trainJob(value.id, request));
  });
}

/** Stops the job and forgets it; its files are removed. */
export function cancel(): Promise<void> {
  return run(async () => {
    const { value } = job;
    following?.abort();
    forgetJob();
    if (value) await api.deleteJob(value.id);
  });
}

/** Opens the window about training again; a file that was only read makes room for it. */
export async function openRetraining(): Promise<void> {
  const { value } = job;
  if (value && !isAgain.value) {
    if (value.state === "training") {
      openWindow("train");
      return;
    }
    await cancel();
  }
  openWindow("retrain");
}

export function open(): Promise<void> {
  return run(async () => {
    const { value } = job;
    if (!value) return;
    const next = await api.openJob(value.id);
    forgetJob();
    openWindow(null);
    openOtherModel(next);
    reloads.value += 1;
    notify(`${next.name} is open.`);
  });
}
