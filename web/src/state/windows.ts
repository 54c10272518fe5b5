/** Which dialog is open. */
import { signal } from "@preact/signals";

export type Window = "help" | "train" | "retrain" | null;

export const openedWindow = signal<Window>(null);

export function openWindow(which: Window): void {
  openedWindow.value = which;
}
