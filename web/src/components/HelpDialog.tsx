/** The keys, and what the words of the page mean. */
import { keysAreOn, switchKeys } from "../state/keys";
import { openWindow } from "../state/windows";
import { Dialog } from "./Dialog";

const KEYS: [string, string][] = [
  ["j", "next pair"],
  ["k", "previous pair"],
  ["a", "accept the pair"],
  ["r", "reject the pair"],
  ["s", "keep it for later"],
  ["u", "undo the last verdict"],
  ["/", "search for a node"],
  ["Esc", "close the pair"],
  ["?", "this help"],
];

export function HelpDialog() {
  return (
    <Dialog title="Help" close={() => openWindow(null)}>
      <div class="help">
        <section>
          <h3>Keys</h3>
          <dl class="keys">
            {KEYS.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <label class="check">
            <input
              type="checkbox"
              checked={keysAreOn.value}
              onChange={(event) => switchKeys(event.currentTarget.checked)}
            />
            Use these single keys
          </label>
        </section>
        <section>
          <h3>Words</h3>
          <p>
            <b>Probability.</b> Of all pairs with 30 %, about three in ten are links, if the share of links among the
            pairs is the one set with the slider. Nobody can learn that share from the graph; the slider changes the
            level of all probabilities, never their order.
          </p>
          <p>
            <b>Why.</b> The model scores the pair again with parts of the graph left out. The baseline and the parts add
            up to the score. A grey part is unclear: its effect changes with the order in which parts are left out.
          </p>
          <p>
            <b>Verdicts</b> are kept on this machine. Export them as CSV, or train again with them: accepted pairs
            become links, rejected ones examples of pairs without a link.
          </p>
          <p>
            <a href="/api/docs">The API of this server</a> · <a href="/licences.txt">Licences</a>
          </p>
        </section>
      </div>
    </Dialog>
  );
}
