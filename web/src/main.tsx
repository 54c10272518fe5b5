import { render } from "preact";
import { App } from "./components/App";
import { listenToKeys } from "./state/keys";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/drawing.css";
import "./styles/charts.css";
import "./styles/what-if.css";
import "./styles/layout.css";
import "./styles/list.css";
import "./styles/pair.css";
import "./styles/dialogs.css";

listenToKeys();
const root = document.getElementById("app");
if (root) render(<App />, root);
