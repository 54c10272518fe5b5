/** The upload and training of a model: one job on the server, followed from the file to the open model. */
import { computed, signal } from "@preact/signals";
import * as api from "../api";
import type { Job, Progress } from "../types";
import { openOtherModel, reloads } from "./model";
import { announce, notify } from "./notices";
import { openWindow } from "./windows";

export const job = signal<Job | null>(null);
export const problem = signal<string | null>(null);
export const isBusy = signal(false);
/** The metric after every step that was reported, for the curve. */
export const curve = signal<{ step: number; metric: number }[]>([]);

let following: AbortController | null = null;

export const stage = computed<"file" | "reading" | "options" | "training" | "ended">(() => {
  const state = job.value?.state;
  if (state === undefined) return "file";
  if (state === "reading") return "reading";
  if (state === "read") return "options";
  return state === "training" ? "training" : "ended";
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
    if (before !== what.job.state) announce(`The job is now ${what.job.state}.`);
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

function take(next: Job): void {
  job.value = next;
  curve.value = [];
  if (next.state === "reading" || next.state === "training") follow(next.id);
}

export function upload(file: File): Promise<void> {
  return run(async () => {
    following?.abort();
    following = new AbortController();
    take(await api.uploadGraph(file, following.signal));
  });
}

export function retrain(): Promise<void> {
  return run(async () => take(await api.startRetraining()));
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
    job.value = null;
    curve.value = [];
    if (value) await api.deleteJob(value.id);
  });
}

export function open(): Promise<void> {
  return run(async () => {
    const { value } = job;
    if (!value) return;
    const next = await api.openJob(value.id);
    job.value = null;
    openWindow(null);
    openOtherModel(next);
    reloads.value += 1;
    notify(`${next.name} is open.`);
  });
}
