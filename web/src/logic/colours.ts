/** Colours of the drawing. WebGL adds translucent lines up to white, so shades are mixed here and drawn opaque. */

type Rgb = [number, number, number];

export function parseHex(colour: string): Rgb {
  const digits = colour.trim().replace(/^#/, "");
  const long = digits.length === 3 ? [...digits].map((d) => d + d).join("") : digits;
  if (!/^[0-9a-f]{6}$/i.test(long)) throw new Error(`Not a colour of six hexadecimal digits: ${colour}`);
  return [0, 2, 4].map((i) => Number.parseInt(long.slice(i, i + 2), 16)) as Rgb;
}

/** `share` of the colour over the background, as if it were painted with that opacity. */
export function mix(background: string, colour: string, share: number): string {
  const [below, above] = [parseHex(background), parseHex(colour)];
  const blend = below.map((value, i) => Math.round(value + ((above[i] as number) - value) * share));
  return `#${blend.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
