/** Accept, reject, later. */
import { decide, nameOf, verdictOf } from "../state/model";
import type { Link, Verdict } from "../types";
import { Check, Clock, Cross } from "./icons";

export const VERDICTS: [Verdict, string, string, () => preact.JSX.Element][] = [
  ["accepted", "Accept", "a", Check],
  ["rejected", "Reject", "r", Cross],
  ["later", "Later", "s", Clock],
];

/** Small buttons at the end of a row; only those of the chosen row are on the way of the tab key. */
export function RowVerdicts({ link, isChosen }: { link: Link; isChosen: boolean }) {
  const current = verdictOf(link);
  return (
    <div class="row-verdicts">
      {VERDICTS.map(([verdict, label, , Icon]) => (
        <button
          key={verdict}
          type="button"
          class={`mark mark-${verdict}`}
          aria-pressed={current === verdict}
          aria-label={`${label}: ${nameOf(link)}`}
          title={label}
          tabIndex={isChosen ? 0 : -1}
          onClick={(event) => {
            event.stopPropagation();
            decide(link, verdict);
          }}
        >
          <Icon />
        </button>
      ))}
    </div>
  );
}

/** Large buttons for the chosen pair. */
export function PairVerdicts({ link, judge }: { link: Link; judge: (verdict: Verdict) => void }) {
  const current = verdictOf(link);
  return (
    <fieldset class="verdicts">
      <legend class="sr-only">Your verdict</legend>
      {VERDICTS.map(([verdict, label, key, Icon]) => (
        <button
          key={verdict}
          type="button"
          class={`button verdict verdict-${verdict}`}
          aria-pressed={current === verdict}
          aria-keyshortcuts={key}
          onClick={() => judge(verdict)}
        >
          <Icon />
          {label}
          <kbd aria-hidden="true">{key}</kbd>
        </button>
      ))}
    </fieldset>
  );
}
