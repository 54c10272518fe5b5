/** Numbers and names as the page shows them. */
import type { Link } from "../types";

const whole = new Intl.NumberFormat("en");

export function count(value: number): string {
  return whole.format(Math.round(value));
}

/** "1 link", "2 links". */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A probability in percent, with more digits where it is near 0 or 100. */
export function percent(p: number): string {
  const value = 100 * p;
  if (value >= 99.95) return value > 99.99 ? "> 99.99 %" : `${value.toFixed(2)} %`;
  if (value >= 10) return `${value.toFixed(1)} %`;
  if (value >= 0.995) return `${value.toFixed(2)} %`;
  return value >= 0.001 ? `${value.toPrecision(2)} %` : "< 0.001 %";
}

/** A prior as "1 in 83". */
export function oneIn(p: number): string {
  const ratio = 1 / p;
  return `1 in ${ratio < 9.95 ? Number(ratio.toFixed(1)) : count(Number(ratio.toPrecision(2)))}`;
}

/** A score or log-odds, with a real minus sign. */
export function signed(value: number, always = false): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 0.005 || value === 0 ? 2 : 3;
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return text;
  return value < 0 ? `−${text}` : always ? `+${text}` : text;
}

export function duration(seconds: number): string {
  if (seconds < 1) return "less than a second";
  if (seconds < 90) return plural(Math.ceil(seconds), "second");
  return plural(Math.ceil(seconds / 60), "minute");
}

export function bytes(value: number): string {
  return value < 1e6 ? `${count(Math.max(1, value / 1e3))} KB` : `${(value / 1e6).toFixed(1)} MB`;
}

/** How a pair or triple is called in sentences. */
export function linkName(link: Pick<Link, "source_name" | "target_name" | "relation_name">, directed = false): string {
  if (link.relation_name !== null) return `${link.source_name} ${link.relation_name} ${link.target_name}`;
  return `${link.source_name} ${directed ? "→" : "–"} ${link.target_name}`;
}
