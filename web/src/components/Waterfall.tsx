/** Why a pair has its score: a waterfall of bars that begins at the baseline and adds up to the score. */
import { signed } from "../logic/format";
import { type Bar, waterfall } from "../logic/waterfall";
import type { Explanation, Group } from "../types";

const EFFECTS: Record<Group["effect"], string> = {
  raises: "raises the score",
  lowers: "lowers the score",
  unclear: "unclear effect",
};

function Strip({
  bar,
  zero,
  group,
  previous,
}: {
  bar: Bar;
  zero: number;
  group: Group | undefined;
  previous: Bar | undefined;
}) {
  const start = 100 * bar.start;
  const width = Math.max(0.6, 100 * (bar.end - bar.start));
  const kind = group ? `fall-${group.effect}` : `fall-${bar.kind}`;
  return (
    <svg class="fall" viewBox="0 0 100 20" preserveAspectRatio="none" aria-hidden="true">
      <line class="fall-zero" x1={100 * zero} x2={100 * zero} y1="0" y2="20" />
      {previous && bar.kind !== "score" && (
        <line class="fall-joint" x1={100 * previous.running} x2={100 * previous.running} y1="0" y2="4" />
      )}
      <rect class={kind} x={Math.min(start, 99.4)} y="4" width={width} height="12" rx="0.4" />
    </svg>
  );
}

interface Props {
  explanation: Explanation;
  range?: [number, number];
  /** Called with a group when its row is pointed at or focused, and with null afterwards. */
  point?: (group: Group | null) => void;
}

export function Waterfall({ explanation, range, point }: Props) {
  const { baseline, groups, score } = explanation;
  const parts = groups.map(({ text, contribution }) => ({ label: text, contribution }));
  const { bars, zero } = waterfall(baseline, parts, score, range);
  return (
    <table class="waterfall">
      <caption class="sr-only">What the score is made of: the baseline and the parts add up to the score.</caption>
      <thead class="sr-only">
        <tr>
          <th scope="col">Part</th>
          <th scope="col">Drawn</th>
          <th scope="col">Contribution</th>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar, i) => {
          const group = bar.kind === "group" ? groups[i - 1] : undefined;
          const isSum = bar.kind === "baseline" || bar.kind === "score";
          const hasPaths = point !== undefined && group !== undefined && group.paths.length > 0;
          return (
            <tr
              key={i}
              class={`fall-row ${isSum ? "fall-sum" : ""} ${hasPaths ? "fall-paths" : ""}`}
              {...(hasPaths ? { onMouseEnter: () => point(group), onMouseLeave: () => point(null) } : {})}
            >
              <th scope="row">
                {bar.kind === "baseline" ? "Baseline" : bar.label}
                {group && <span class="sr-only"> ({EFFECTS[group.effect]})</span>}
                {group?.effect === "unclear" && (
                  <span class="tag" aria-hidden="true">
                    unclear
                  </span>
                )}
                {group?.note && <small>{group.note}</small>}
              </th>
              <td class="fall-cell">
                <Strip bar={bar} zero={zero} group={group} previous={bars[i - 1]} />
              </td>
              <td class="fall-value">
                {signed(bar.value, !isSum)}
                {group && group.error > 0.005 && <small> ± {signed(group.error)}</small>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
