/** Requests to the server that this page came from. */
import type { Query } from "./logic/address";
import { readEvents } from "./logic/sse";
import type {
  Counts,
  DrawingData,
  Explanation,
  Job,
  Link,
  Model,
  Node,
  Progress,
  Reliability,
  Status,
  Verdict,
} from "./types";

export class ApiError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** What to show a reader of any error. */
export function sentence(error: unknown): string {
  return error instanceof ApiError ? error.message : `Something went wrong in the page: ${error}`;
}

export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

async function refusal(answer: Response): Promise<ApiError> {
  const content = await answer.json().catch(() => null);
  const { code = "unknown", message = `The server answered with status ${answer.status}.` } = content?.error ?? {};
  return new ApiError(message, code, answer.status);
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const isWrite = init.method !== undefined && init.method !== "GET";
  const headers = new Headers(init.headers);
  if (isWrite) headers.set("X-Linkwl", "1");
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers, credentials: "same-origin" });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new ApiError("The server does not answer. Is linkwl serve still running?", "offline", 0);
  }
  if (!answer.ok) throw await refusal(answer);
  return answer;
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, signal ? { signal } : {})).json();
}

async function send<T>(method: string, path: string, content: unknown, signal?: AbortSignal): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  const init = { method, headers, body: JSON.stringify(content), ...(signal ? { signal } : {}) };
  return (await ask(path, init)).json();
}

function search(parameters: Record<string, string | number | null>): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== null);
  return new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
}

export interface ListFilter {
  offset: number;
  limit: number;
  status: Status;
  relation: number | null;
  min_log_odds: number | null;
}

export const fetchModel = () => get<Model>("/api/model");
export const fetchDrawing = () => get<DrawingData>("/api/drawing");
export const fetchNames = () => get<{ names: string[] }>("/api/names");
export const fetchReliability = () => get<Reliability>("/api/reliability");
export const searchNodes = (q: string, signal: AbortSignal) =>
  get<{ nodes: Node[] }>(`/api/nodes?${search({ q, limit: 8 })}`, signal);
export const fetchLinks = (filter: ListFilter, signal: AbortSignal) =>
  get<{ total: number; links: Link[] }>(`/api/links?${search({ ...filter })}`, signal);
export const fetchNodeLinks = (node: number, relation: number | null, limit: number, signal: AbortSignal) =>
  get<{ node: Node; links: Link[] }>(`/api/nodes/${node}/links?${search({ limit, relation })}`, signal);

/** Names of nodes that are not in the drawing. */
export async function fetchNamesOf(ids: number[]): Promise<string[]> {
  return ids.length === 0 ? [] : (await get<{ names: string[] }>(`/api/names?ids=${ids.join(",")}`)).names;
}

/** An explanation; while the server works on it, `report` hears how far it is. */
export async function fetchExplanation(
  query: Query,
  report: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<Explanation> {
  const path = `/api/explain?${search({ ...query })}`;
  const answer = await ask(path, { signal, headers: { Accept: "text/event-stream" } });
  if (!answer.body || !answer.headers.get("Content-Type")?.includes("event-stream")) return answer.json();
  for await (const { event, data } of readEvents(answer.body)) {
    const content = JSON.parse(data);
    if (event === "progress") report(content.done, content.total);
    else if (event === "result") return content;
    else if (event === "error") throw new ApiError(content.error.message, content.error.code, 200);
  }
  throw new ApiError("The explanation ended early. Try again.", "cut_off", 200);
}

export const scorePairs = (pairs: number[][], signal?: AbortSignal) =>
  send<{ links: Link[] }>("POST", "/api/score", { pairs }, signal);

export const whatIf = (queries: number[][], add: number[][], remove: number[][], signal: AbortSignal) =>
  send<{ before: Link[]; after: Link[] }>("POST", "/api/what-if", { queries, add, remove }, signal);

export async function putVerdict(query: Query, verdict: Verdict | null): Promise<Counts> {
  const decisions = [{ ...query, verdict }];
  return (await send<{ counts: Counts }>("PUT", "/api/decisions", { decisions })).counts;
}

export async function importVerdicts(file: File): Promise<{ imported: number; counts: Counts }> {
  const headers = { "Content-Type": "text/csv" };
  return (await ask("/api/decisions.csv", { method: "POST", headers, body: file })).json();
}

export interface TrainRequest {
  options: Record<string, unknown>;
  model: string;
  use_decisions: boolean;
}

export async function uploadGraph(file: File, signal: AbortSignal): Promise<Job> {
  const headers = { "X-Linkwl-File-Name": encodeURIComponent(file.name), "Content-Type": "application/octet-stream" };
  return (await ask("/api/jobs", { method: "POST", headers, body: file, signal })).json();
}

export const startRetraining = async (): Promise<Job> => (await ask("/api/jobs?retrain=1", { method: "POST" })).json();
export const fetchJob = (id: string) => get<Job>(`/api/jobs/${encodeURIComponent(id)}`);
export const readJobAgain = (id: string, options: Record<string, unknown>) =>
  send<Job>("POST", `/api/jobs/${encodeURIComponent(id)}/read`, { options });
export const trainJob = (id: string, request: TrainRequest) =>
  send<Job>("POST", `/api/jobs/${encodeURIComponent(id)}/train`, request);
export const openJob = (id: string) => send<Model>("POST", `/api/jobs/${encodeURIComponent(id)}/open`, {});
export const deleteJob = (id: string) => ask(`/api/jobs/${encodeURIComponent(id)}`, { method: "DELETE" });

/** Follows a job until it has ended, through dropped connections, too. */
export async function followJob(
  id: string,
  hear: (what: { job: Job } | { progress: Progress }) => void,
  signal: AbortSignal,
): Promise<void> {
  for (let failures = 0; failures < 5; ) {
    try {
      const answer = await ask(`/api/jobs/${encodeURIComponent(id)}/events`, {
        signal,
        headers: { Accept: "text/event-stream" },
      });
      for await (const { event, data } of readEvents(answer.body as ReadableStream<Uint8Array>)) {
        failures = 0;
        if (event === "state") hear({ job: JSON.parse(data) });
        else if (event === "progress") hear({ progress: JSON.parse(data) });
      }
      hear({ job: await fetchJob(id) });
      return;
    } catch (error) {
      if (isAbort(error) || (error instanceof ApiError && error.status > 0)) throw error;
      failures += 1;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  throw new ApiError("The server does not answer. Is linkwl serve still running?", "offline", 0);
}
