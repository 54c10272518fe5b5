/** How far probabilities can be trusted: on hidden links, and by the reader's own verdicts. */
import { signal } from "@preact/signals";
import * as api from "../api";
import type { Reliability } from "../types";

export const reliability = signal<Reliability | null>(null);
export const reliabilityError = signal<string | null>(null);

export async function loadReliability(): Promise<void> {
  try {
    reliability.value = await api.fetchReliability();
    reliabilityError.value = null;
  } catch (error) {
    reliabilityError.value = api.sentence(error);
  }
}
