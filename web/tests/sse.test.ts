import { describe, expect, it } from "vitest";
import { EventParser, readEvents } from "../src/logic/sse";

const TEXT =
  'event: progress\r\ndata: {"done": 1}\r\n\r\n: a comment\ndata: one\ndata:two\n\nevent: result\ndata: é\n\n';
const EVENTS = [
  { event: "progress", data: '{"done": 1}' },
  { event: "message", data: "one\ntwo" },
  { event: "result", data: "é" },
];

describe("server-sent events", () => {
  it("reads events of one piece", () => {
    expect(new EventParser().push(TEXT)).toEqual(EVENTS);
  });

  it("reads the same events however the text is cut", () => {
    for (let size = 1; size < 20; size++) {
      const parser = new EventParser();
      const found = [];
      for (let i = 0; i < TEXT.length; i += size) found.push(...parser.push(TEXT.slice(i, i + size)));
      expect(found).toEqual(EVENTS);
    }
  });

  it("ignores an event that was cut off", () => {
    expect(new EventParser().push("event: result\ndata: 1\n")).toEqual([]);
  });

  it("decodes letters whose bytes arrive apart", async () => {
    const content = new TextEncoder().encode(TEXT);
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of content) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const found = [];
    for await (const event of readEvents(stream)) found.push(event);
    expect(found).toEqual(EVENTS);
  });
});
