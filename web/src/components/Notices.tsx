/** Messages in the corner, and the live region that screen readers read out. */
import { announcement, dismiss, notices } from "../state/notices";
import { Cross } from "./icons";

export function Notices() {
  return (
    <>
      <div class="sr-only" role="status" aria-live="polite">
        {announcement.value}
      </div>
      <div class="notices">
        {notices.value.map(({ id, text, kind, action }) => (
          <div key={id} class={`notice notice-${kind}`} role={kind === "error" ? "alert" : "status"}>
            <p>{text}</p>
            {action && (
              <button
                type="button"
                class="button small"
                onClick={() => {
                  dismiss(id);
                  action.run();
                }}
              >
                {action.label}
              </button>
            )}
            <button type="button" class="button quiet square small" aria-label="Dismiss" onClick={() => dismiss(id)}>
              <Cross />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
