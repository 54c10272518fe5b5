/** A window over the page. The browser keeps the focus inside, and closes it on Esc. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Cross } from "./icons";

interface Props {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}

export function Dialog({ title, close, wide, children }: Props) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog?.showModal();
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  const clickOutside = (event: MouseEvent) => {
    if (event.target === element.current) close();
  };
  return (
    <dialog
      ref={element}
      class={wide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby="dialog-title"
      onClick={clickOutside}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="dialog-inner">
        <header class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          <button type="button" class="button quiet square" onClick={close} aria-label="Close">
            <Cross />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
