/** The colours of the drawing, read from the style sheet and mixed with its background. */
import { mix } from "../logic/colours";
import type { Verdict } from "../types";

export interface Palette {
  background: string;
  text: string;
  grid: string;
  edge: string;
  edgeDim: string;
  node: string;
  nodeDim: string;
  accent: string;
  path: string;
  pinned: string;
  suggestion: Record<"open" | Verdict, string>;
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  const background = get("--canvas");
  const over = (name: string, share: number) => mix(background, get(name), share);
  return {
    background,
    text: get("--ink"),
    grid: over("--ink-soft", 0.1),
    edge: over("--ink-soft", 0.24),
    edgeDim: over("--ink-soft", 0.11),
    node: over("--ink-soft", 0.75),
    nodeDim: over("--ink-soft", 0.32),
    accent: get("--accent"),
    path: over("--path", 0.85),
    pinned: get("--later"),
    suggestion: {
      open: over("--accent", 0.8),
      accepted: get("--accept"),
      rejected: over("--reject", 0.5),
      later: get("--later"),
    },
  };
}
