/** A field that finds a node by its name (an ARIA combobox). */
import { useEffect, useId, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { plural } from "../logic/format";
import type { Node } from "../types";
import { Magnifier } from "./icons";

interface Props {
  label: string;
  placeholder: string;
  choose: (node: Node) => void;
  /** Whether the label is shown above the field. */
  showLabel?: boolean;
  id?: string;
  hint?: string;
  /** What the field holds at first; it keeps the name of the node that was chosen. */
  keep?: boolean;
}

export function NodeSearch({ label, placeholder, choose, showLabel = false, id, hint, keep = false }: Props) {
  const made = useId();
  const name = id ?? made;
  const [text, setText] = useState("");
  const [found, setFound] = useState<Node[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const [isOpen, setOpen] = useState(false);
  const settled = useRef("");

  useEffect(() => {
    const q = text.trim();
    if (q === "" || q === settled.current) {
      setFound(null);
      return;
    }
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        setFound((await api.searchNodes(q, controller.signal)).nodes);
        setProblem(null);
        setActive(0);
      } catch (error) {
        if (!api.isAbort(error)) setProblem(api.sentence(error));
      }
    }, 80);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text]);

  const pick = (node: Node) => {
    settled.current = keep ? node.name : "";
    setText(settled.current);
    setFound(null);
    setOpen(false);
    choose(node);
  };

  const press = (event: KeyboardEvent) => {
    const last = (found?.length ?? 0) - 1;
    if (event.key === "ArrowDown") setActive(Math.min(active + 1, last));
    else if (event.key === "ArrowUp") setActive(Math.max(active - 1, 0));
    else if (event.key === "Enter") {
      const node = found?.[active];
      if (node && isOpen) pick(node);
    } else if (event.key === "Escape") {
      if (text === "") (event.target as HTMLElement).blur();
      setText("");
      setOpen(false);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const shows = isOpen && text.trim() !== "" && (found !== null || problem !== null);
  const options = shows ? (found ?? []) : [];
  return (
    <div class="search">
      <label class={showLabel ? "field-label" : "sr-only"} for={name}>
        {label}
      </label>
      <div class="search-field">
        <Magnifier />
        <input
          id={name}
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck={false}
          placeholder={placeholder}
          value={text}
          aria-expanded={options.length > 0}
          aria-controls={`${name}-list`}
          aria-autocomplete="list"
          {...(options.length > 0 ? { "aria-activedescendant": `${name}-${active}` } : {})}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setOpen(true);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={press}
        />
        {hint && (
          <kbd class="search-hint" aria-hidden="true">
            {hint}
          </kbd>
        )}
      </div>
      <div class="search-list" hidden={!shows}>
        <ul id={`${name}-list`} role="listbox" aria-label={label}>
          {options.map((node, i) => (
            <li
              key={node.id}
              id={`${name}-${i}`}
              role="option"
              aria-selected={i === active}
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => setActive(i)}
              onClick={() => pick(node)}
            >
              <span class="clip">{node.name}</span>
              <small>{plural(node.degree, "link")}</small>
            </li>
          ))}
        </ul>
        {shows && options.length === 0 && <p class="search-none">{problem ?? `No node is called “${text.trim()}”.`}</p>}
      </div>
    </div>
  );
}
