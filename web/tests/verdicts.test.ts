import { describe, expect, it } from "vitest";
import { type Change, keyOf, Verdicts } from "../src/logic/verdicts";
import type { Counts, Verdict } from "../src/types";

const PAIR = { source: 3, target: 9, relation: null };
const OTHER = { source: 1, target: 2, relation: null };

function setUp(answer: () => Promise<Counts> = async () => ({ accepted: 1, rejected: 0, later: 0, open: 9 })) {
  const shown = new Map<string, Verdict | null>();
  const stored: [string, Verdict | null][] = [];
  const failures: Change[] = [];
  const verdicts = new Verdicts({
    put: async (query, verdict) => {
      const counts = await answer();
      stored.push([keyOf(query, true), verdict]);
      return counts;
    },
    show: (query, verdict) => shown.set(keyOf(query, true), verdict),
    counted: () => undefined,
    failed: (change) => failures.push(change),
  });
  return { shown, stored, failures, verdicts };
}

describe("verdicts", () => {
  it("gives both orders of an undirected pair one key", () => {
    expect(keyOf({ source: 9, target: 3, relation: null }, true)).toBe("3-9");
    expect(keyOf({ source: 9, target: 3, relation: null }, false)).toBe("9-3");
    expect(keyOf({ source: 9, target: 3, relation: 2 }, false)).toBe("9-2-3");
  });

  it("shows a verdict before the server has it", async () => {
    const { shown, stored, verdicts } = setUp();
    const kept = verdicts.decide(PAIR, null, "accepted");
    expect(shown.get("3-9")).toBe("accepted");
    expect(stored).toEqual([]);
    expect(await kept).toBe(true);
    expect(stored).toEqual([["3-9", "accepted"]]);
  });

  it("takes a verdict back if the server refuses it", async () => {
    const { shown, failures, verdicts } = setUp(() => Promise.reject(new Error("no")));
    expect(await verdicts.decide(PAIR, "later", "accepted")).toBe(false);
    expect(shown.get("3-9")).toBe("later");
    expect(failures).toHaveLength(1);
    expect(verdicts.canUndo).toBe(false);
  });

  it("undoes verdicts from the last to the first", async () => {
    const { shown, stored, verdicts } = setUp();
    await verdicts.decide(PAIR, null, "accepted");
    await verdicts.decide(OTHER, "later", "rejected");
    expect(verdicts.undo()?.change.query).toEqual(OTHER);
    expect(shown.get("1-2")).toBe("later");
    await verdicts.undo()?.kept;
    expect(shown.get("3-9")).toBeNull();
    expect(stored.at(-1)).toEqual(["3-9", null]);
    expect(verdicts.undo()).toBeNull();
  });

  it("can undo again if the server refused the first time", async () => {
    let works = true;
    const counts = { accepted: 0, rejected: 0, later: 0, open: 1 };
    const { shown, verdicts } = setUp(() => (works ? Promise.resolve(counts) : Promise.reject(new Error("no"))));
    await verdicts.decide(PAIR, null, "accepted");
    works = false;
    expect(await verdicts.undo()?.kept).toBe(false);
    expect(shown.get("3-9")).toBe("accepted");
    works = true;
    expect(await verdicts.undo()?.kept).toBe(true);
    expect(shown.get("3-9")).toBeNull();
  });

  it("sends verdicts in order, the next after the answer to the last", async () => {
    const waiting: (() => void)[] = [];
    const counts = { accepted: 0, rejected: 0, later: 0, open: 1 };
    const { stored, verdicts } = setUp(() => new Promise((resolve) => waiting.push(() => resolve(counts))));
    verdicts.decide(PAIR, null, "accepted");
    const last = verdicts.decide(PAIR, "accepted", "rejected");
    await Promise.resolve();
    expect(waiting).toHaveLength(1);
    waiting[0]?.();
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve));
    waiting[1]?.();
    await last;
    expect(stored.map(([, verdict]) => verdict)).toEqual(["accepted", "rejected"]);
  });
});
