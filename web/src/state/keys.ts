/** Keys: a letter each, as long as nobody types in a field, and they can be switched off. */
import { signal } from "@preact/signals";
import { chosenLink } from "./explanations";
import { choose, step } from "./list";
import { decide, undo } from "./model";
import { address, go } from "./navigation";
import { openedWindow, openWindow } from "./windows";

const REMEMBERED = "linkwl-keys";

function wereOn(): boolean {
  try {
    return localStorage.getItem(REMEMBERED) !== "off";
  } catch {
    return true;
  }
}

export const keysAreOn = signal(wereOn());

export function switchKeys(on: boolean): void {
  keysAreOn.value = on;
  try {
    localStorage.setItem(REMEMBERED, on ? "on" : "off");
  } catch {
    // Then it holds until the page is closed.
  }
}

/** Gives a verdict about the chosen pair, and goes on to the next row. */
export function judge(verdict: "accepted" | "rejected" | "later"): void {
  const link = chosenLink.value;
  if (link === null || link.is_link) return;
  decide(link, verdict);
  step(1, "replace");
}

const ACTIONS: Record<string, () => void> = {
  j: () => step(1),
  k: () => step(-1),
  a: () => judge("accepted"),
  r: () => judge("rejected"),
  s: () => judge("later"),
  u: undo,
  "/": () => document.getElementById("search")?.focus(),
  "?": () => openWindow("help"),
};

function leave(): void {
  if (address.value.pair !== null) choose(null);
  else if (address.value.node !== null) go({ node: null });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches("textarea, select, input:not([type=range], [type=radio], [type=checkbox])"))
  );
}

export function listenToKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || openedWindow.value !== null) return;
    const action = event.key === "Escape" ? leave : keysAreOn.value ? ACTIONS[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  });
}
