/** Tabs with arrow keys. */
import { useRef } from "preact/hooks";

interface Props<T extends string> {
  label: string;
  tabs: [T, string][];
  current: T;
  choose: (tab: T) => void;
  /** The id of the panel that the tabs switch. */
  panel: string;
}

export function Tabs<T extends string>({ label, tabs, current, choose, panel }: Props<T>) {
  const element = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const at = tabs.findIndex(([tab]) => tab === current);
    const to = (at + by + tabs.length) % tabs.length;
    choose((tabs[to] as [T, string])[0]);
    (element.current?.children[to] as HTMLElement | undefined)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={element} onKeyDown={press}>
      {tabs.map(([tab, name]) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`${panel}-${tab}`}
          aria-selected={tab === current}
          aria-controls={panel}
          tabIndex={tab === current ? 0 : -1}
          onClick={() => choose(tab)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
