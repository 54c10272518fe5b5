/** What would the model say if a link were there, or were not there? Nothing is stored. */
import { useEffect, useMemo, useState } from "preact/hooks";
import * as api from "../api";
import { percent, signed } from "../logic/format";
import { chosen, chosenLink } from "../state/explanations";
import { rows } from "../state/list";
import { isDirected, model, nameOf, queryKey, shownProbability } from "../state/model";
import { nameOfNode } from "../state/scene";
import type { Link, Node } from "../types";
import { Cross, Minus, Plus } from "./icons";
import { NodeSearch } from "./NodeSearch";

interface Edit {
  kind: "add" | "remove";
  source: number;
  target: number;
  relation: number | null;
  name: string;
}

/** How a query is sent: [source, target], or [head, relation, tail]. */
function asList(query: { source: number; target: number; relation: number | null }): number[] {
  const { source, relation, target } = query;
  return relation === null ? [source, target] : [source, relation, target];
}

/** The links along the paths of the explanation, each once: those whose removal says most. */
function useNearLinks(): [number, number][] {
  const result = chosen.value?.result ?? null;
  return useMemo(() => {
    const found = new Map<string, [number, number]>();
    for (const path of (result?.groups ?? []).flatMap((group) => group.paths)) {
      for (let i = 0; i + 1 < path.length; i++) {
        const ends: [number, number] = [path[i] as number, path[i + 1] as number];
        const key = queryKey({ source: ends[0], target: ends[1], relation: null });
        if (!found.has(key)) found.set(key, ends);
      }
    }
    return [...found.values()].slice(0, 8);
  }, [result]);
}

function Changes({ before, after, first }: { before: Link[]; after: Link[]; first: Link }) {
  const changed = before
    .map((link, i) => ({ link, now: after[i] as Link }))
    .filter(({ link, now }, i) => i === 0 || Math.abs(now.score - link.score) > 1e-6);
  const others = before.length - changed.length;
  return (
    <table class="changes">
      <caption class="sr-only">Probabilities before and after the change</caption>
      <thead>
        <tr>
          <th scope="col">Pair</th>
          <th scope="col">Now</th>
          <th scope="col">Then</th>
          <th scope="col">Score</th>
        </tr>
      </thead>
      <tbody>
        {changed.map(({ link, now }) => {
          const by = now.score - link.score;
          return (
            <tr key={queryKey(link)} class={queryKey(link) === queryKey(first) ? "changes-first" : ""}>
              <th scope="row">{nameOf(link)}</th>
              <td>{percent(shownProbability(link))}</td>
              <td class={by > 0 ? "up" : by < 0 ? "down" : ""}>{percent(shownProbability(now))}</td>
              <td class={by > 0 ? "up" : by < 0 ? "down" : ""}>{Math.abs(by) < 1e-6 ? "same" : signed(by, true)}</td>
            </tr>
          );
        })}
      </tbody>
      {others > 0 && (
        <tfoot>
          <tr>
            <td colSpan={4}>{others} more pairs of the list stay the same.</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function AddForm({ add }: { add: (source: Node, target: Node, relation: number | null) => void }) {
  const [source, setSource] = useState<Node | null>(null);
  const [target, setTarget] = useState<Node | null>(null);
  const [relation, setRelation] = useState<number | null>(null);
  const [round, setRound] = useState(0);
  const relations = model.value?.graph.relations ?? null;
  const ready = source !== null && target !== null && source.id !== target.id && (!relations || relation !== null);
  return (
    <form
      class="add-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!ready) return;
        add(source, target, relation);
        setSource(null);
        setTarget(null);
        setRound(round + 1);
      }}
    >
      <NodeSearch key={`s${round}`} label="From" placeholder="a node" showLabel keep choose={setSource} />
      {relations && (
        <div class="field">
          <label class="field-label" for="what-relation">
            Relation
          </label>
          <select
            id="what-relation"
            value={relation ?? ""}
            onChange={(event) => setRelation(Number(event.currentTarget.value))}
          >
            <option value="" disabled>
              Choose
            </option>
            {relations.map((name, i) => (
              <option key={name} value={i}>
                {name}
              </option>
            ))}
          </select>
        </div>
      )}
      <NodeSearch key={`t${round}`} label="To" placeholder="another node" showLabel keep choose={setTarget} />
      <button type="submit" class="button" disabled={!ready}>
        <Plus /> Add
      </button>
    </form>
  );
}

export function WhatIf() {
  const link = chosenLink.value;
  const near = useNearLinks();
  const [edits, setEdits] = useState<Edit[]>([]);
  const [answer, setAnswer] = useState<{ before: Link[]; after: Link[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = link && queryKey(link);
  // Another pair begins with the graph as it is.
  useEffect(() => setEdits([]), [key]);
  // The link of a key does not change.
  useEffect(() => {
    setAnswer(null);
    setProblem(null);
    if (link === null || edits.length === 0) return;
    const controller = new AbortController();
    const others = rows.value.filter((row) => queryKey(row) !== key).slice(0, 19);
    const of = (kind: Edit["kind"]) => edits.filter((edit) => edit.kind === kind).map(asList);
    setBusy(true);
    api
      .whatIf([link, ...others].map(asList), of("add"), of("remove"), controller.signal)
      .then(setAnswer, (error) => !api.isAbort(error) && setProblem(api.sentence(error)))
      .finally(() => !controller.signal.aborted && setBusy(false));
    return () => controller.abort();
  }, [edits, key]);

  if (link === null) return null;
  const joint = isDirected.value ? " → " : " – ";
  const isTaken = (edit: Edit) => edits.some((other) => other.name === edit.name && other.kind === edit.kind);
  const make = (edit: Edit) => !isTaken(edit) && setEdits([...edits, edit]);
  const isTriples = model.value?.graph.task === "triples";
  return (
    <div class="what-if">
      <div class="what-edits">
        <p class="hint">Change the graph and see what the model would say. Nothing is stored.</p>
        {!isTriples && near.length > 0 && (
          <div class="chips">
            <span class="field-label">Take a link away</span>
            {near.map(([source, target]) => {
              const name = `${nameOfNode(source)}${joint}${nameOfNode(target)}`;
              const edit: Edit = { kind: "remove", source, target, relation: null, name };
              return (
                <button key={name} type="button" class="chip" disabled={isTaken(edit)} onClick={() => make(edit)}>
                  <Minus /> {name}
                </button>
              );
            })}
          </div>
        )}
        <AddForm
          add={(source, target, relation) => {
            const word = relation === null ? joint : ` ${model.value?.graph.relations?.[relation]} `;
            make({
              kind: "add",
              source: source.id,
              target: target.id,
              relation,
              name: `${source.name}${word}${target.name}`,
            });
          }}
        />
        {edits.length > 0 && (
          <div class="chips" aria-live="polite">
            <span class="field-label">Changes</span>
            {edits.map((edit) => (
              <button
                key={`${edit.kind} ${edit.name}`}
                type="button"
                class={`chip chip-${edit.kind}`}
                aria-label={`Take back: ${edit.kind} ${edit.name}`}
                onClick={() => setEdits(edits.filter((other) => other !== edit))}
              >
                {edit.kind === "add" ? "+ " : "− "}
                {edit.name} <Cross />
              </button>
            ))}
          </div>
        )}
      </div>
      <div class="what-edits">
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {isBusy && (
          <p class="hint" role="status">
            Scoring…
          </p>
        )}
        {answer && <Changes before={answer.before} after={answer.after} first={link} />}
      </div>
    </div>
  );
}
