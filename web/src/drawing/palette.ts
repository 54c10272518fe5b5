/** The colours of the drawing, read from the style sheet and mixed with its background. */
import { mix } from "../logic/colours";
import type { Verdict } from "../types";

export interface Palette {
  background: string;
  text: string;
  grid: string;
  edge: string;
  node: string;
  nodeDim: string;
  accent: string;
  path: string;
  pinned: string;
  suggestion: Record<"open" | Verdict, string>;
}

/** The more edges, the fainter each: how much of the ink is mixed in. */
export function edgeShare(numEdges: number): number {
  return Math.min(0.5, Math.max(0.2, 0.9 - 0.18 * Math.log10(Math.max(1, numEdges))));
}

export function readPalette(numEdges: number): Palette {
  const style = getComputedStyle(document.documentElement);
  const get = (name: string) => style.getPropertyValue(name).trim();
  const background = get("--canvas");
  const over = (name: string, share: number) => mix(background, get(name), share);
  return {
    background,
    text: get("--ink"),
    grid: over("--ink-soft", 0.1),
    edge: over("--ink-soft", edgeShare(numEdges)),
    node: over("--ink-soft", 0.75),
    nodeDim: over("--ink-soft", 0.32),
    accent: get("--accent"),
    path: get("--path"),
    pinned: get("--later"),
    suggestion: {
      open: over("--accent", 0.8),
      accepted: get("--accept"),
      rejected: over("--reject", 0.5),
      later: get("--later"),
    },
  };
}
