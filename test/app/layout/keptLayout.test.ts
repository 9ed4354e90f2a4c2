import { beforeEach, describe, expect, test } from "vitest";
import { chooseCurve, curveChoice } from "../../../src/store/curveChoice.ts";
import {
  currentLayout,
  enterLayout,
  PARTS,
  resetLayout,
  setSize,
  useLayout,
} from "../../../src/store/layout.ts";

describe("a layout on the device", () => {
  beforeEach(() => {
    localStorage.clear();
    resetLayout();
  });

  test("what a link brings is shown, stays in the address, and is not remembered", () => {
    enterLayout({ sizes: { queues: 200 }, curves: ["use", "waited"] });
    expect(currentLayout()).toEqual({ sizes: { queues: 200 }, curves: ["use", "waited"] });
    expect(useLayout.getState().inLink).toBe(true);
    expect(localStorage).toHaveLength(0);
  });

  test("what the reader moves is remembered until the layout is reset", () => {
    setSize("curves", 5_000);
    chooseCurve("waited", "demand");
    expect(localStorage.getItem(PARTS.curves.key)).toBe(String(PARTS.curves.mostPx));
    expect(curveChoice("waited")).toBe("demand");
    resetLayout();
    expect(localStorage).toHaveLength(0);
    expect(currentLayout()).toEqual({ sizes: {}, curves: ["held", "waited"] });
  });
});
