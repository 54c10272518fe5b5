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

function Column({
  name,
  label,
  columns,
  value,
  set,
  optional,
}: {
  name: string;
  label: string;
  columns: string[];
  value: string;
  set: (value: string) => void;
  optional?: boolean;
}) {
  return (
    <div class="field">
      <label class="field-label" for={`column-${name}`}>
        {label}
      </label>
      <select id={`column-${name}`} value={value} onChange={(event) => set(event.currentTarget.value)}>
        {optional && <option value="">none</option>}
        {columns.map((column) => (
          <option key={column} value={column}>
            {column}
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
      <pre class="read-lines" tabIndex={0}>
        {inspection.lines.join("\n")}
      </pre>
    </section>
  );
}

function Options({ job, again }: { job: Job; again: boolean }) {
  const inspection = job.inspection;
  const columns = inspection?.columns ?? null;
  const chosen = inspection?.chosen ?? {};
  const [source, setSource] = useState(chosen.source ?? columns?.[0] ?? "");
  const [target, setTarget] = useState(chosen.target ?? columns?.[1] ?? "");
  const [relation, setRelation] = useState(chosen.relation ?? "");
  const [direction, setDirection] = useState("auto");
  const [sides, setSides] = useState("auto");
  const [kind, setKind] = useState(again ? (model.value?.model.id ?? "walk-2fwl") : "walk-2fwl");
  const [config, setConfig] = useState("default");
  const isTriples = relation !== "" || (again && model.value?.graph.task === "triples");
  const offered = isTriples ? MODELS : [...MODELS, FORMULA];
  const models = offered.some(([id]) => id === kind) ? offered : [[kind, kind] as [string, string], ...offered];
  const start = (event: Event) => {
    event.preventDefault();
    const options: Record<string, unknown> = {};
    if (!again) {
      if (columns) Object.assign(options, { source, target, relation: relation || null });
      if (direction !== "auto") options.directed = direction === "directed";
      if (sides === "two") options.bipartite = true;
    }
    void training.train({ options, model: kind, config, use_decisions: again });
  };
  return (
    <form onSubmit={start}>
      {inspection && <Read inspection={inspection} />}
      {again && (
        <p>
          The graph gets your {plural(counts.value?.accepted ?? 0, "accepted pair")} as links, and the model learns from
          your {plural(counts.value?.rejected ?? 0, "rejected pair")} that these are none.
        </p>
      )}
      <div class="fields">
        {!again && columns && (
          <>
            <Column name="source" label="Links go from" columns={columns} value={source} set={setSource} />
            <Column name="target" label="to" columns={columns} value={target} set={setTarget} />
            {columns.length > 2 && (
              <Column
                name="relation"
                label="Kind of link"
                columns={columns}
                value={relation}
                set={setRelation}
                optional
              />
            )}
          </>
        )}
        {!again && !isTriples && (
          <>
            <div class="field">
              <label class="field-label" for="direction">
                Direction
              </label>
              <select id="direction" value={direction} onChange={(event) => setDirection(event.currentTarget.value)}>
                <option value="auto">as the file says</option>
                <option value="undirected">links have no direction</option>
                <option value="directed">links have a direction</option>
              </select>
            </div>
            <div class="field">
              <label class="field-label" for="sides">
                Nodes
              </label>
              <select id="sides" value={sides} onChange={(event) => setSides(event.currentTarget.value)}>
                <option value="auto">of one kind</option>
                <option value="two">two sides, such as buyers and items</option>
              </select>
            </div>
          </>
        )}
        <div class="field">
          <label class="field-label" for="model">
            Model
          </label>
          <select id="model" value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
            {models.map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label class="field-label" for="config">
            Settings
          </label>
          <select id="config" value={config} onChange={(event) => setConfig(event.currentTarget.value)}>
            <option value="default">default</option>
            <option value="quick">quick: less training</option>
          </select>
        </div>
      </div>
      <p class="actions">
        <button
          type="submit"
          class="button primary"
          disabled={training.isBusy.value || (columns !== null && !again && source === target)}
        >
          Train
        </button>
        <button type="button" class="button" onClick={() => void training.cancel()}>
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
          {isFinished ? "Discard it" : "Start again"}
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
