/** Explanations of the chosen and of the pinned pair. */
import { computed, effect, type Signal, signal, untracked } from "@preact/signals";
import * as api from "../api";
import type { Query } from "../logic/address";
import type { Explanation, Link } from "../types";
import { rows } from "./list";
import { model, queryKey } from "./model";
import { address } from "./navigation";

export interface Asked {
  query: Query;
  result: Explanation | null;
  progress: number | null;
  error: string | null;
}

export const chosen = signal<Asked | null>(null);
export const pinned = signal<Asked | null>(null);

const known = new Map<string, Explanation>();
const retries = signal(0);

export function retry(): void {
  retries.value += 1;
}

function follow(read: () => Query | null, out: Signal<Asked | null>, wait: number): void {
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const key = computed(() => {
    const query = read();
    return query && model.value
      ? JSON.stringify([queryKey(query), model.value.graph.digest, model.value.model.digest, retries.value])
      : null;
  });
  effect(() => {
    const name = key.value;
    running?.abort();
    clearTimeout(timer);
    untracked(() => {
      const query = read();
      if (name === null || query === null) {
        out.value = null;
        return;
      }
      const result = known.get(name) ?? null;
      out.value = { query, result, progress: null, error: null };
      if (result !== null) return;
      const controller = new AbortController();
      running = controller;
      // Somebody who runs down the list with j asks for the last pair only.
      timer = setTimeout(() => void ask(name, query, controller.signal), wait);
    });
  });

  async function ask(name: string, query: Query, stop: AbortSignal): Promise<void> {
    const update = (change: Partial<Asked>) => {
      if (!stop.aborted && out.value) out.value = { ...out.value, ...change };
    };
    try {
      const result = await api.fetchExplanation(query, (done, total) => update({ progress: done / total }), stop);
      if (known.size > 200) known.clear();
      known.set(name, result);
      update({ result });
    } catch (error) {
      if (!api.isAbort(error)) update({ error: api.sentence(error) });
    }
  }
}

follow(() => address.value.pair, chosen, 120);
follow(() => address.value.pinned, pinned, 0);

function linkOf(asked: Asked | null): Link | null {
  if (asked === null) return null;
  return rows.value.find((link) => queryKey(link) === queryKey(asked.query)) ?? asked.result?.link ?? null;
}

export const chosenLink = computed(() => linkOf(chosen.value));
export const pinnedLink = computed(() => linkOf(pinned.value));
