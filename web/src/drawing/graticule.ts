/** Lines of longitude and latitude behind a map. */
import type Sigma from "sigma";
import { mercator, unwrap } from "../logic/projection";
import type { Palette } from "./palette";

const STEP = 10;
/** Least distance between labels, in pixels. */
const ROOM = 70;

function degrees(value: number, positive: string, negative: string): string {
  return value === 0 ? "0°" : `${Math.abs(value)}° ${value > 0 ? positive : negative}`;
}

/** Draws on a canvas of its own behind those of sigma, and follows its camera. */
export function addGraticule(
  sigma: Sigma,
  container: HTMLElement,
  palette: () => Palette,
  edge: number,
  latitudes: number[],
): () => void {
  const canvas = document.createElement("canvas");
  canvas.className = "graticule";
  container.prepend(canvas);
  const low = Math.max(-80, Math.floor(Math.min(...latitudes) / STEP) * STEP - 2 * STEP);
  const high = Math.min(80, Math.ceil(Math.max(...latitudes) / STEP) * STEP + 2 * STEP);

  function draw(): void {
    const { width, height } = sigma.getDimensions();
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    const context = canvas.getContext("2d");
    if (context === null) return;
    const { grid, nodeDim } = palette();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    context.strokeStyle = grid;
    context.fillStyle = nodeDim;
    context.font = "10px system-ui, sans-serif";
    context.lineWidth = 1;
    const place = (longitude: number, latitude: number) => {
      const [x, y] = mercator(unwrap(longitude, edge), latitude);
      return sigma.graphToViewport({ x, y });
    };
    const apart = Math.abs(place(edge + 2 * STEP, 0).x - place(edge + STEP, 0).x);
    const labelled = STEP * [1, 2, 3, 6].reduce((found, times) => (found * apart < ROOM ? times : found), 1);
    context.beginPath();
    for (let longitude = -180; longitude < 180; longitude += STEP) {
      const x = Math.round(place(longitude, 0).x) + 0.5;
      if (x < 0 || x > width) continue;
      context.moveTo(x, 0);
      context.lineTo(x, height);
      if (longitude % labelled === 0) context.fillText(degrees(longitude, "E", "W"), x + 4, height - 6);
    }
    for (let latitude = low; latitude <= high; latitude += STEP) {
      const y = Math.round(place(edge, latitude).y) + 0.5;
      if (y < 0 || y > height) continue;
      context.moveTo(0, y);
      context.lineTo(width, y);
      context.fillText(degrees(latitude, "N", "S"), 4, y - 4);
    }
    context.stroke();
  }

  sigma.on("afterRender", draw);
  return draw;
}
