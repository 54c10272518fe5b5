/** Upload a graph, see what was read, train a model, open it. */
import { useEffect, useState } from "preact/hooks";
import { bytes, count, duration, plural } from "../logic/format";
import { counts, model } from "../state/model";
import * as training from "../state/training";
import { openWindow } from "../state/windows";
import type { Inspection, Job } from "../types";
import { Dialog } from "./Dialog";
import { Upload } from "./icons";
import { LearningCurve } from "./LearningCurve";

const MODELS: [string, string][] = [
  ["walk-2fwl", "walk-2fwl: recommended"],
  ["local-2fwl", "local-2fwl: the paper's local 2-FWL"],
  ["local-2wl", "local-2wl: the paper's local 2-WL"],
];
const DIRECTIONS: [string, string][] = [
  ["auto", "as the file says"],
  ["undirected", "links have no direction"],
  ["directed", "links have a direction"],
];
const SIDES: [string, string][] = [
  ["one", "of one kind"],
  ["two", "two sides, such as buyers and items"],
];
const FORMULA: [string, string] = ["ra", "ra: resource allocation, a formula; seconds"];

function ChooseFile() {
  const [isOver, setOver] = useState(false);
  const limit = model.value?.limits.upload_bytes ?? null;
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    if (limit !== null && file.size > limit) {
      training.problem.value = `${file.name} has ${bytes(file.size)}; the page takes files up to ${bytes(limit)}. Use linkwl train for larger ones.`;
      return;
    }
    void training.upload(file);
  };
  return (
    <label
      class={isOver ? "drop drop-over" : "drop"}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files[0]);
      }}
    >
      <Upload />
      <b>Choose a file, or drop it here</b>
      <span>
        A list of links as CSV, TSV, GraphML, JSON, Parquet, …{limit !== null && `, up to ${bytes(limit)}`}. It stays on
        this machine.
      </span>
      <input type="file" disabled={training.isBusy.value} onChange={(event) => take(event.currentTarget.files?.[0])} />
    </label>
  );
}

interface SelectProps {
  id: string;
  label: string;
  value: string;
  options: [string, string][];
  set: (value: string) => void;
}

function Select({ id, label, value, options, set }: SelectProps) {
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => set(event.currentTarget.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

function Read({ inspection }: { inspection: Inspection }) {
  return (
    <section class="read" aria-label="What was read">
      <p class="read-sum">
        <b>{plural(inspection.nodes, "node")}</b> and <b>{plural(inspection.links, "link")}</b>
      </p>
      <dl class="read-lines" tabIndex={0}>
        {inspection.lines.map((line) => {
          const [name, ...value] = line.split(": ");
          return (
            <div key={line}>
              <dt>{name}</dt>
              <dd>{value.join(": ")}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}

/** Which columns hold what; a change reads the file again. */
function ReadingFields({ inspection }: { inspection: Inspection }) {
  const { columns, chosen } = inspection;
  const reading = training.reading.value;
  const all = (columns ?? []).map((column) => [column, column] as [string, string]);
  const open: [string, string] = ["", "choose"];
  const source = reading.source || chosen.source || "";
  const target = reading.target || chosen.target || "";
  const relation = reading.relation || chosen.relation || "";
  const set = (change: Partial<training.Reading>) => void training.readAgain(change);
  return (
    <>
      {columns && (
        <>
          <Select
            id="column-source"
            label="Links go from"
            value={source}
            options={source ? all : [open, ...all]}
            set={(value) => set({ source: value })}
          />
          <Select
            id="column-target"
            label="to"
            value={target}
            options={target ? all : [open, ...all]}
            set={(value) => set({ target: value })}
          />
          {columns.length > 2 && (
            <Select
              id="column-relation"
              label="Kind of link"
              value={relation}
              options={[["", "all links are alike"], ...all]}
              set={(value) => set({ relation: value })}
            />
          )}
        </>
      )}
      {!relation && (
        <>
          <Select
            id="direction"
            label="Direction"
            value={reading.direction}
            options={DIRECTIONS}
            set={(value) => set({ direction: value as training.Reading["direction"] })}
          />
          <Select
            id="sides"
            label="Nodes"
            value={reading.sides}
            options={SIDES}
            set={(value) => set({ sides: value as training.Reading["sides"] })}
          />
        </>
      )}
    </>
  );
}

function Options({ job, again }: { job: Job; again: boolean }) {
  const { inspection } = job;
  const [kind, setKind] = useState(again ? (model.value?.model.id ?? "walk-2fwl") : "walk-2fwl");
  const { reading } = training;
  const isTriples = again
    ? model.value?.graph.task === "triples"
    : Boolean(reading.value.relation || inspection?.chosen.relation);
  const offered = isTriples ? MODELS : [...MODELS, FORMULA];
  const models = offered.some(([id]) => id === kind) ? offered : [[kind, kind] as [string, string], ...offered];
  const canTrain = job.state === "read" && !training.isBusy.value && (inspection?.links ?? 0) > 0;
  const start = (event: Event) => {
    event.preventDefault();
    const options = again ? {} : training.readingOptions(reading.value);
    if (canTrain) void training.train({ options, model: kind, use_decisions: again });
  };
  return (
    <form class="options" onSubmit={start}>
      {job.message && (
        <p class="problem" role="alert">
          {job.message}
        </p>
      )}
      {inspection && inspection.links > 0 && <Read inspection={inspection} />}
      {again && (
        <p>
          The graph gets your {plural(counts.value?.accepted ?? 0, "accepted pair")} as links, and the model learns from
          your {plural(counts.value?.rejected ?? 0, "rejected pair")} that these are none.
        </p>
      )}
      <div class="fields">
        {!again && inspection && <ReadingFields inspection={inspection} />}
        <Select id="model" label="Model" value={kind} options={models} set={setKind} />
      </div>
      <p class="actions">
        <button type="submit" class="button primary" disabled={!canTrain}>
          Train
        </button>
        <button
          type="button"
          class="button"
          onClick={() => void training.cancel().then(() => again && openWindow(null))}
        >
          {again ? "Cancel" : "Choose another file"}
        </button>
      </p>
    </form>
  );
}

function Running({ job }: { job: Job }) {
  const progress = job.progress;
  return (
    <div class="running">
      <p>
        {job.state === "reading" ? `Reading ${job.file ?? "the file"}…` : `Training on ${job.file ?? "the graph"}…`}
        {progress?.seconds_left != null && <span class="hint"> about {duration(progress.seconds_left)} left</span>}
      </p>
      <progress
        aria-label="Progress"
        max={progress?.steps || 1}
        {...(progress && progress.steps > 0 ? { value: progress.step } : {})}
      />
      {progress && (
        <p class="hint">
          {progress.steps > 0 && `Step ${count(progress.step)} of at most ${count(progress.steps)}`}
          {progress.metric !== null && ` · on validation links ${progress.metric.toFixed(3)}`}
        </p>
      )}
      <LearningCurve points={training.curve.value} />
      <p class="actions">
        <button type="button" class="button" onClick={() => void training.cancel()}>
          Stop
        </button>
      </p>
    </div>
  );
}

function Ended({ job }: { job: Job }) {
  const isFinished = job.state === "finished";
  return (
    <div class="running">
      <p role="status">
        {isFinished ? (
          <>
            <b>The model is trained.</b> Open it to see the likeliest missing links of {job.file ?? "the graph"}.
          </>
        ) : (
          (job.message ?? (job.state === "cancelled" ? "The job was stopped." : "The job has failed."))
        )}
      </p>
      <LearningCurve points={training.curve.value} />
      <p class="actions">
        {isFinished && (
          <button
            type="button"
            class="button primary"
            disabled={training.isBusy.value}
            onClick={() => void training.open()}
          >
            Open the model
          </button>
        )}
        <button type="button" class="button" onClick={() => void training.cancel()}>
          {isFinished ? "Discard it" : "Back"}
        </button>
      </p>
    </div>
  );
}

export function TrainDialog({ again }: { again: boolean }) {
  const { job, stage, problem, isBusy } = training;
  useEffect(() => {
    if (again && job.value === null) void training.retrain();
  }, [again]);
  const current = job.value;
  return (
    <Dialog
      title={again ? "Train again with your verdicts" : "Train a model on your graph"}
      close={() => openWindow(null)}
      wide
    >
      <div class="train" data-stage={stage.value}>
        {problem.value && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {stage.value === "file" && !again && <ChooseFile />}
        {stage.value === "file" && isBusy.value && (
          <p class="hint" role="status">
            Sending…
          </p>
        )}
        {current && (stage.value === "reading" || stage.value === "training") && <Running job={current} />}
        {current && stage.value === "options" && <Options key={current.id} job={current} again={again} />}
        {current && stage.value === "ended" && <Ended job={current} />}
      </div>
    </Dialog>
  );
}
