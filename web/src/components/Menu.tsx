/** A button that opens a short list of actions. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function Menu({
  label,
  icon,
  children,
}: {
  label: string;
  icon: ComponentChildren;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const menu = element.current;
      if (!menu?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        menu.querySelector("summary")?.focus();
      } else if (event.target instanceof Node && menu.contains(event.target)) return;
      menu.open = false;
    };
    addEventListener("click", close);
    addEventListener("keydown", close, true);
    return () => {
      removeEventListener("click", close);
      removeEventListener("keydown", close, true);
    };
  }, []);
  return (
    <details class="menu" ref={element}>
      <summary class="button quiet" aria-label={label} title={label}>
        {icon}
        <span class="wide-only">{label}</span>
      </summary>
      <div
        class="menu-list"
        onClick={() => {
          if (element.current) element.current.open = false;
        }}
      >
        {children}
      </div>
    </details>
  );
}
