/** What the address bar holds: everything that a reader chose, after the #, so that reload, back and a copied link work. */
import type { Status } from "../types";

/** A pair (source, target) or a triple (source, relation, target). */
export interface Query {
  source: number;
  target: number;
  relation: number | null;
}

export type Theme = "auto" | "light" | "dark";
export type Tab = "list" | "drawing" | "pair";
export type View = "why" | "what-if" | "compare" | "reliability";

export interface Address {
  pair: Query | null;
  pinned: Query | null;
  node: number | null;
  status: Status;
  relation: number | null;
  threshold: number;
  prior: number | null;
  from: number;
  view: View;
  tab: Tab;
  theme: Theme;
}

export const START: Address = {
  pair: null,
  pinned: null,
  node: null,
  status: "all",
  relation: null,
  threshold: 0,
  prior: null,
  from: 0,
  view: "why",
  tab: "list",
  theme: "auto",
};

const STATUSES: Status[] = ["all", "open", "accepted", "rejected", "later"];
const VIEWS: View[] = ["why", "what-if", "compare", "reliability"];
const TABS: Tab[] = ["list", "drawing", "pair"];
const THEMES: Theme[] = ["auto", "light", "dark"];

export function formatQuery(query: Query): string {
  const { source, relation, target } = query;
  return (relation === null ? [source, target] : [source, relation, target]).join("-");
}

export function parseQuery(text: string | null): Query | null {
  if (text === null || !/^\d{1,15}(-\d{1,15}){1,2}$/.test(text)) return null;
  const [first, second, third] = text.split("-").map(Number) as [number, number, number?];
  return third === undefined
    ? { source: first, target: second, relation: null }
    : { source: first, relation: second, target: third };
}

export function sameQuery(one: Query | null, other: Query | null): boolean {
  return one === null || other === null ? one === other : formatQuery(one) === formatQuery(other);
}

function oneOf<T extends string>(values: T[], text: string | null, otherwise: T): T {
  return values.find((value) => value === text) ?? otherwise;
}

function numberIn(text: string | null, low: number, high: number): number | null {
  const value = text === null || text.trim() === "" ? Number.NaN : Number(text);
  return value >= low && value <= high ? value : null;
}

function index(text: string | null): number | null {
  const value = numberIn(text, 0, Number.MAX_SAFE_INTEGER);
  return Number.isInteger(value) ? value : null;
}

/** Reads an address; whatever is missing or malformed is as at the start. */
export function parseAddress(hash: string): Address {
  const get = new URLSearchParams(hash.replace(/^#/, ""));
  return {
    pair: parseQuery(get.get("pair")),
    pinned: parseQuery(get.get("pinned")),
    node: index(get.get("node")),
    status: oneOf(STATUSES, get.get("status"), START.status),
    relation: index(get.get("relation")),
    threshold: numberIn(get.get("threshold"), 0, 1) ?? START.threshold,
    prior: numberIn(get.get("prior"), 1e-9, 0.999),
    from: index(get.get("from")) ?? START.from,
    view: oneOf(VIEWS, get.get("view"), START.view),
    tab: oneOf(TABS, get.get("tab"), START.tab),
    theme: oneOf(THEMES, get.get("theme"), START.theme),
  };
}

/** The part after the #; what is as at the start is left out. */
export function formatAddress(address: Address): string {
  const out = new URLSearchParams();
  for (const key of Object.keys(START) as (keyof Address)[]) {
    const value = address[key];
    if (value === START[key] || value === null) continue;
    out.set(key, typeof value === "object" ? formatQuery(value) : String(value));
  }
  return out.size > 0 ? `#${out}` : "";
}
