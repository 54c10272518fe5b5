import { describe, expect, it, vi } from "vitest";

// Sigma reads constants of WebGL when it is imported.
vi.stubGlobal("WebGLRenderingContext", {});
vi.stubGlobal("WebGL2RenderingContext", {});
const { linesWhile } = await import("../src/drawing/lines");

describe("lines", () => {
  it("are drawn only while they are wanted, and if there are any", () => {
    let areWanted = false;
    const { prototype } = linesWhile(() => areWanted) as unknown as { prototype: { hasNothingToRender(): boolean } };
    const isEmpty = (verticesCount: number) => prototype.hasNothingToRender.call({ verticesCount });
    expect(isEmpty(6)).toBe(true);
    areWanted = true;
    expect(isEmpty(6)).toBe(false);
    expect(isEmpty(0)).toBe(true);
  });
});
