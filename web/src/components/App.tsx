/** The page. */
import { useEffect } from "preact/hooks";
import type { Tab } from "../logic/address";
import { loadModel, model, modelError } from "../state/model";
import { address, go, isNarrow } from "../state/navigation";
import { resume } from "../state/training";
import { openedWindow } from "../state/windows";
import { DrawingPanel } from "./DrawingPanel";
import { Filters } from "./Filters";
import { Header } from "./Header";
import { HelpDialog } from "./HelpDialog";
import { Notices } from "./Notices";
import { PairPanel } from "./PairPanel";
import { RankedTable } from "./RankedTable";
import { TrainDialog } from "./TrainDialog";

const TABS: [Tab, string][] = [
  ["list", "List"],
  ["drawing", "Drawing"],
  ["pair", "Pair"],
];

function PhoneTabs() {
  return (
    <nav class="phone-tabs" aria-label="Parts of the page">
      {TABS.map(([tab, name]) => (
        <button
          key={tab}
          type="button"
          {...(address.value.tab === tab ? { "aria-current": "page" as const } : {})}
          onClick={() => go({ tab })}
        >
          {name}
        </button>
      ))}
    </nav>
  );
}

function Failure() {
  return (
    <main class="failure">
      <h1>The model cannot be shown</h1>
      <p role="alert">{modelError.value}</p>
      <button type="button" class="button primary" onClick={() => void loadModel()}>
        Try again
      </button>
    </main>
  );
}

export function App() {
  useEffect(() => {
    void loadModel();
    void resume();
  }, []);
  if (modelError.value !== null && model.value === null) return <Failure />;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("list")?.focus()}>
        Skip to the list
      </button>
      <Header />
      <main class="main" data-tab={address.value.tab}>
        <section class="panel list-panel" id="list" aria-label="Ranked pairs" tabIndex={-1}>
          <Filters />
          <RankedTable />
        </section>
        <div class="right">
          <DrawingPanel />
          <div class="under">
            <PairPanel />
          </div>
        </div>
      </main>
      {isNarrow.value && <PhoneTabs />}
      {openedWindow.value === "help" && <HelpDialog />}
      {openedWindow.value === "train" && <TrainDialog again={false} />}
      {openedWindow.value === "retrain" && <TrainDialog again />}
      <Notices />
    </>
  );
}
