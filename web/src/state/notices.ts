/** Messages: short ones for everybody's eyes, and a live region for screen readers. */
import { signal } from "@preact/signals";

export interface Notice {
  id: number;
  text: string;
  kind: "error" | "done";
  action?: { label: string; run: () => void };
}

export const notices = signal<Notice[]>([]);
export const announcement = signal("");

let next = 0;

export function announce(text: string): void {
  // The same words twice would not be read twice.
  announcement.value = announcement.value === text ? `${text} ` : text;
}

export function notify(text: string, kind: Notice["kind"] = "done", action?: Notice["action"]): void {
  next += 1;
  const notice: Notice = { id: next, text, kind, ...(action ? { action } : {}) };
  notices.value = [...notices.value.filter((other) => other.text !== text), notice].slice(-3);
  if (kind === "done") setTimeout(() => dismiss(notice.id), 6000);
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
