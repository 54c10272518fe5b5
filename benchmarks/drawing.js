// What a visitor sees, and when, in milliseconds since navigation started. Runs before the scripts of the page.
const seen = { row: null, drawing: null, arranged: null, presses: [], tasks: [] };
window.seen = seen;

const note = (what, selector) => {
  if (what in found || document.querySelector(selector) === null) return;
  found[what] = true;
  // The browser paints after the frame's callbacks, and then goes on with its timers.
  requestAnimationFrame(() =>
    setTimeout(() => {
      seen[what] = performance.now();
    }),
  );
};
const found = {};

addEventListener("keydown", ({ timeStamp }) => seen.presses.push({ start: timeStamp, changed: null, painted: null }), {
  capture: true,
});

new MutationObserver((changes) => {
  note("row", ".ranked tbody tr");
  note("drawing", ".drawing-panel:is([data-state=layout], [data-state=ready]) canvas");
  note("arranged", ".drawing-panel[data-state=ready]");
  const last = seen.presses.at(-1);
  const isChosen = ({ target }) => target.nodeType === 1 && target.matches("tr[aria-selected=true]");
  if (last?.changed === null && changes.some(isChosen)) last.changed = performance.now();
}).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ["aria-selected", "data-state"],
});

// The browser tells when the first frame after a key was on the screen, unless that took less than 16 milliseconds.
new PerformanceObserver((list) => {
  for (const { name, startTime, duration } of list.getEntries()) {
    const press = seen.presses.find(({ start }) => Math.abs(start - startTime) < 1);
    if (name === "keydown" && press) press.painted = startTime + duration;
  }
}).observe({ type: "event", durationThreshold: 16, buffered: true });

new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) seen.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
