import { describe, expect, it } from "vitest";
import { areDegrees, mercator, project, unwrap, westernEdge } from "../src/logic/projection";

describe("projection", () => {
  it("is Mercator's", () => {
    expect(mercator(10, 0)).toEqual([10, expect.closeTo(0, 12)]);
    // ln tan(pi / 4 + phi / 2) at 60 degrees is arcosh 2.
    expect(mercator(0, 60)[1]).toBeCloseTo((Math.acosh(2) * 180) / Math.PI, 9);
    expect(mercator(0, 90)[1]).toBe(mercator(0, 85)[1]);
    expect(mercator(0, -30)[1]).toBeCloseTo(-mercator(0, 30)[1], 12);
  });

  it("cuts the world where nobody lives", () => {
    expect(westernEdge([-100, -80, 10])).toBeCloseTo(135);
    // The Aleutian Islands lie on both sides of 180 degrees.
    const edge = westernEdge([-150, -170, 175]);
    expect(unwrap(175, edge)).toBeLessThan(unwrap(-170, edge));
  });

  it("keeps neighbours across the date line together", () => {
    const { x } = project([179, -179], [0, 0]);
    expect(Math.abs((x[0] as number) - (x[1] as number))).toBeCloseTo(2);
  });

  it("knows degrees from a plane", () => {
    expect(areDegrees([-180, 180], [-90, 90])).toBe(true);
    expect(areDegrees([0, 500], [0, 1])).toBe(false);
    expect(areDegrees([0], [91])).toBe(false);
  });
});
