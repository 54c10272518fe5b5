/** What the drawing shows: the graph, the names of its nodes, and what is highlighted. */
import { computed, signal } from "@preact/signals";
import type { Query } from "../logic/address";
import type { DrawingData, Group, Verdict } from "../types";
import { chosen, chosenLink, pinnedLink } from "./explanations";
import { list, rows } from "./list";
import { isDirected, verdictOf } from "./model";
import { address } from "./navigation";

export const drawing = signal<DrawingData | null>(null);
export const drawingError = signal<string | null>(null);
/** Names of nodes by id, as far as they are known. */
export const names = signal<Map<number, string>>(new Map());
export const pointedGroup = signal<Group | null>(null);

export function nameOfNode(id: number): string {
  return names.value.get(id) ?? `node ${id}`;
}

export interface Suggestion extends Query {
  verdict: Verdict | null;
}

export interface Scene {
  chosen: Query | null;
  pinned: Query | null;
  /** Of the chosen pair; of one group while its row is pointed at. */
  paths: number[][];
  isPointed: boolean;
  suggestions: Suggestion[];
  node: number | null;
  isDirected: boolean;
}

const NO_GROUPS: Group[] = [];
/** Not part of the scene, which would be drawn again whenever the explanation makes progress. */
const groups = computed(() => {
  if (pointedGroup.value) return [pointedGroup.value];
  return chosen.value?.result?.groups ?? NO_GROUPS;
});

export const scene = computed<Scene>(() => {
  const { pair, pinned, node } = address.value;
  // Links of one end alone are drawn only while their group is pointed at.
  const joins = (path: number[]) =>
    pointedGroup.value !== null ||
    (pair !== null && path.includes(pair.source) && path.includes(pair.target) && path.length > 2);
  return {
    chosen: pair,
    pinned,
    paths:
      pair === null
        ? []
        : groups.value
            .flatMap((group) => group.paths)
            .filter(joins)
            .slice(0, 40),
    isPointed: pointedGroup.value !== null,
    suggestions: rows.value.map((link) => ({
      source: link.source,
      target: link.target,
      relation: link.relation,
      verdict: verdictOf(link),
    })),
    node: list.value?.node?.id ?? node,
    isDirected: isDirected.value,
  };
});

/** Names that came with links are known before those of the drawing. */
export function learnNames(pairs: Iterable<[number, string]>): void {
  const next = new Map(names.value);
  for (const [id, name] of pairs) next.set(id, name);
  names.value = next;
}

export const pairNames = computed(() =>
  [chosenLink.value, pinnedLink.value]
    .filter((link) => link !== null)
    .flatMap(
      (link) =>
        [
          [link.source, link.source_name],
          [link.target, link.target_name],
        ] as [number, string][],
    ),
);
