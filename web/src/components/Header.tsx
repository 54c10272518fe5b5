/** The top of the page: which graph and model, the search, and what can be done with the whole. */
import { useRef } from "preact/hooks";
import { count, plural } from "../logic/format";
import { counts, importFile, model } from "../state/model";
import { go, isDark, isNarrow, toggleTheme } from "../state/navigation";
import { isAgain, job, label, openRetraining } from "../state/training";
import { openWindow } from "../state/windows";
import { Brand, Download, Moon, Question, Sun, Upload } from "./icons";
import { Menu } from "./Menu";
import { NodeSearch } from "./NodeSearch";

function About() {
  const open = model.value;
  if (open === null) return <div class="about" />;
  const [first] = open.metrics;
  const range = first && first.low !== null && first.high !== null;
  return (
    <div class="about">
      <h1 class="clip" title={open.name}>
        {open.name}
      </h1>
      <p class="clip">
        {plural(open.graph.nodes, "node")}, {plural(open.graph.links, open.graph.task === "pairs" ? "link" : "fact")}
        <span class="dot"> · </span>
        <span title={open.model.title}>{open.model.id}</span>
        {first && (
          <>
            <span class="dot"> · </span>
            <span
              title={
                range
                  ? `95 % interval: ${first.low?.toFixed(3)} to ${first.high?.toFixed(3)}, on hidden links`
                  : "on hidden links"
              }
            >
              {first.label} <b>{first.value.toFixed(3)}</b>
            </span>
          </>
        )}
      </p>
    </div>
  );
}

function VerdictMenu() {
  const input = useRef<HTMLInputElement>(null);
  const given = counts.value ? counts.value.accepted + counts.value.rejected + counts.value.later : 0;
  return (
    <Menu label="Verdicts" icon={<Download />}>
      <a class="menu-item" href="/api/decisions.csv" download="decisions.csv">
        Export as CSV <small>{plural(given, "verdict")}</small>
      </a>
      <button type="button" class="menu-item" onClick={() => input.current?.click()}>
        Import a CSV file…
      </button>
      <button
        type="button"
        class="menu-item"
        disabled={!model.value?.can_train || given === 0}
        onClick={() => void openRetraining()}
      >
        Train again with my verdicts… <small>{count(given)}</small>
      </button>
      <input
        ref={input}
        type="file"
        accept=".csv,text/csv"
        hidden
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) void importFile(file);
          event.currentTarget.value = "";
        }}
      />
    </Menu>
  );
}

export function Header() {
  return (
    <header class="top">
      <div class="brand">
        <Brand />
        <span class="wide-only">linkwl</span>
      </div>
      <About />
      <div class="top-search">
        <NodeSearch
          id="search"
          label="Search for a node"
          placeholder="Search for a node"
          hint="/"
          choose={({ id }) => go({ node: id, from: 0, ...(isNarrow.value ? { tab: "list" as const } : {}) })}
        />
      </div>
      <div class="tools">
        {model.value?.can_train !== false && (
          <button
            type="button"
            class="button quiet"
            onClick={() => openWindow(job.value && isAgain.value ? "retrain" : "train")}
            title="Upload a graph and train a model"
            aria-label={label.value === "Upload" ? "Upload a graph" : label.value}
          >
            <Upload />
            <span class={label.value === "Upload" ? "wide-only" : ""}>{label.value}</span>
          </button>
        )}
        <VerdictMenu />
        <button
          type="button"
          class="button quiet square"
          onClick={toggleTheme}
          aria-label={isDark.value ? "Light colours" : "Dark colours"}
          title={isDark.value ? "Light colours" : "Dark colours"}
        >
          {isDark.value ? <Sun /> : <Moon />}
        </button>
        <button
          type="button"
          class="button quiet square"
          onClick={() => openWindow("help")}
          aria-label="Help"
          title="Help (?)"
        >
          <Question />
        </button>
      </div>
    </header>
  );
}
