/** The reader's verdicts: shown at once, sent to the server, taken back if it refuses, and undone one by one. */
import type { Counts, Verdict } from "../types";
import type { Query } from "./address";

export type Key = string;

export interface Change {
  query: Query;
  before: Verdict | null;
  after: Verdict | null;
}

export interface Ports {
  put: (query: Query, verdict: Verdict | null) => Promise<Counts>;
  show: (query: Query, verdict: Verdict | null) => void;
  counted: (counts: Counts) => void;
  failed: (change: Change, error: unknown) => void;
}

/** Two names of one pair have the same key if the graph is undirected. */
export function keyOf(query: Query, isSymmetric: boolean): Key {
  const { source, relation, target } = query;
  const [first, second] = isSymmetric && source > target ? [target, source] : [source, target];
  return relation === null ? `${first}-${second}` : `${first}-${relation}-${second}`;
}

export class Verdicts {
  private history: Change[] = [];
  private queue: Promise<unknown> = Promise.resolve();

  constructor(private ports: Ports) {}

  get canUndo(): boolean {
    return this.history.length > 0;
  }

  /** Gives a verdict, or takes it back (null). The promise tells whether the server kept it; it never rejects. */
  decide(query: Query, before: Verdict | null, after: Verdict | null): Promise<boolean> {
    if (before === after) return Promise.resolve(true);
    const change = { query, before, after };
    this.history.push(change);
    return this.send(change, () => {
      this.history = this.history.filter((other) => other !== change);
    });
  }

  /** Takes the last verdict back; null if there is none. */
  undo(): { change: Change; kept: Promise<boolean> } | null {
    const last = this.history.pop();
    if (last === undefined) return null;
    const change = { query: last.query, before: last.after, after: last.before };
    return { change, kept: this.send(change, () => this.history.push(last)) };
  }

  forget(): void {
    this.history = [];
  }

  /** One request at a time and in order, so that the last verdict about a pair is the one that stays. */
  private send(change: Change, takeBack: () => void): Promise<boolean> {
    this.ports.show(change.query, change.after);
    const sent = this.queue.then(async () => {
      try {
        this.ports.counted(await this.ports.put(change.query, change.after));
        return true;
      } catch (error) {
        takeBack();
        this.ports.show(change.query, change.before);
        this.ports.failed(change, error);
        return false;
      }
    });
    this.queue = sent;
    return sent;
  }
}
