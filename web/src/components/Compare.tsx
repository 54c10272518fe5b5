/** Two pairs side by side, on one scale. */
import { percent } from "../logic/format";
import { waterfallRange } from "../logic/waterfall";
import { type Asked, chosen, chosenLink, pinned, pinnedLink } from "../state/explanations";
import { choose } from "../state/list";
import { nameOf, queryKey, shownProbability } from "../state/model";
import { address, go } from "../state/navigation";
import type { Link } from "../types";
import { Pin } from "./icons";
import { Waterfall } from "./Waterfall";
import { Waiting } from "./Why";

function Side({
  link,
  asked,
  range,
  title,
}: {
  link: Link | null;
  asked: Asked;
  range: [number, number] | undefined;
  title: string;
}) {
  return (
    <section class="side" aria-label={title}>
      <h3>
        <small>{title}</small>
        <span>{link ? nameOf(link) : "…"}</span>
        {link && <b>{percent(shownProbability(link))}</b>}
      </h3>
      {asked.result === null ? (
        <Waiting asked={asked} />
      ) : (
        <Waterfall explanation={asked.result} {...(range ? { range } : {})} />
      )}
    </section>
  );
}

export function Compare() {
  const [one, other] = [pinned.value, chosen.value];
  if (other === null) return null;
  if (one === null || queryKey(one.query) === queryKey(other.query)) {
    return (
      <div class="empty">
        <p>
          {one === null
            ? "Pin this pair, then choose another one in the list: both are shown here side by side."
            : "This pair is pinned. Choose another one in the list to see both side by side."}
        </p>
        {one === null && (
          <button type="button" class="button" onClick={() => go({ pinned: address.value.pair })}>
            <Pin /> Pin this pair
          </button>
        )}
      </div>
    );
  }
  const ranges = [one.result, other.result]
    .filter((result) => result !== null)
    .map((result) => waterfallRange(result.baseline, result.groups, result.score));
  const range: [number, number] | undefined =
    ranges.length === 2
      ? [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))]
      : undefined;
  return (
    <>
      <div class="sides">
        <Side title="Pinned" link={pinnedLink.value} asked={one} range={range} />
        <Side title="Chosen" link={chosenLink.value} asked={other} range={range} />
      </div>
      <p class="actions">
        <button type="button" class="button small" onClick={() => choose(one.query)}>
          Choose the pinned pair
        </button>
        <button type="button" class="button small" onClick={() => go({ pinned: address.value.pair })}>
          Pin the chosen pair instead
        </button>
        <button type="button" class="button small quiet" onClick={() => go({ pinned: null })}>
          Unpin
        </button>
      </p>
    </>
  );
}
