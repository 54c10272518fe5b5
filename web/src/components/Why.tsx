/** The explanation of the chosen pair. */
import { count, plural } from "../logic/format";
import { type Asked, chosen, retry } from "../state/explanations";
import { pointedGroup } from "../state/scene";
import type { Explanation } from "../types";
import { Waterfall } from "./Waterfall";

export function Waiting({ asked }: { asked: Asked }) {
  if (asked.error !== null) {
    return (
      <div class="empty" role="alert">
        <p>{asked.error}</p>
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
      </div>
    );
  }
  return (
    <div class="waiting" role="status">
      <p>Asking the model why…</p>
      <progress max="1" {...(asked.progress === null ? {} : { value: asked.progress })} aria-label="Explanation" />
    </div>
  );
}

function Facts({ explanation }: { explanation: Explanation }) {
  const { degrees, num_common, link, share, num_scores } = explanation;
  return (
    <p class="facts">
      {link.source_name} has {plural(degrees[0] ?? 0, "link")}, {link.target_name} has {plural(degrees[1] ?? 0, "link")}
      {num_common !== null && num_common !== undefined && (
        <>; they share {num_common === 0 ? "no neighbour" : plural(num_common, "neighbour")}</>
      )}
      .{" "}
      {Number.isFinite(share) && share > 0 && share <= 1 && (
        <>What joins the two or compares them explains {(100 * share).toFixed(0)} % of the parts. </>
      )}
      The baseline is the score without all of these parts; it was found with {count(num_scores)} scores of the graph
      with parts left out.
    </p>
  );
}

export function Why() {
  const asked = chosen.value;
  if (asked === null) return null;
  if (asked.result === null) return <Waiting asked={asked} />;
  return (
    <>
      <Waterfall explanation={asked.result} point={(group) => (pointedGroup.value = group)} />
      <Facts explanation={asked.result} />
    </>
  );
}
