/** The address bar as a signal. */
import { computed, effect, signal } from "@preact/signals";
import { type Address, formatAddress, parseAddress, type Theme } from "../logic/address";

export const address = signal<Address>(parseAddress(location.hash));

addEventListener("popstate", () => {
  address.value = parseAddress(location.hash);
});

/** Changes the address. A choice can be taken back with the browser's button (push); a drag of a slider is no step. */
export function go(change: Partial<Address>, how: "push" | "replace" = "push"): void {
  const next = { ...address.value, ...change };
  const text = formatAddress(next);
  if (text !== formatAddress(address.value)) {
    history[how === "push" ? "pushState" : "replaceState"](null, "", text || location.pathname);
  }
  address.value = next;
}

const darkScreen = matchMedia("(prefers-color-scheme: dark)");
const screenIsDark = signal(darkScreen.matches);
darkScreen.addEventListener("change", (event) => {
  screenIsDark.value = event.matches;
});

const REMEMBERED = "linkwl-theme";

function remembered(): Theme {
  try {
    const theme = localStorage.getItem(REMEMBERED);
    return theme === "dark" || theme === "light" ? theme : "auto";
  } catch {
    return "auto";
  }
}

export const isDark = computed(() => {
  const theme = address.value.theme === "auto" ? remembered() : address.value.theme;
  return theme === "auto" ? screenIsDark.value : theme === "dark";
});

export function toggleTheme(): void {
  const theme = isDark.value ? "light" : "dark";
  try {
    localStorage.setItem(REMEMBERED, theme);
  } catch {
    // A browser that keeps nothing still has the address.
  }
  go({ theme }, "replace");
}

effect(() => {
  document.documentElement.dataset.theme = isDark.value ? "dark" : "light";
});

const narrowScreen = matchMedia("(max-width: 720px)");
export const isNarrow = signal(narrowScreen.matches);
narrowScreen.addEventListener("change", (event) => {
  isNarrow.value = event.matches;
});

export const prefersStill = matchMedia("(prefers-reduced-motion: reduce)");
