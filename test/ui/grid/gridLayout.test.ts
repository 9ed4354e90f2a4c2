import { describe, expect, test } from "vitest";
import {
  firstLayout,
  layoutText,
  moved,
  readLayout,
  toggled,
} from "../../../src/ui/grid/gridLayout.ts";

const COLUMNS = [{ id: "job" }, { id: "tier" }, { id: "team", hidden: true }, { id: "wait" }];
const first = firstLayout(COLUMNS);

describe("the choice of columns", () => {
  test("is read back as it was kept", () => {
    const chosen = moved(toggled(first, "tier"), "wait", -1);
    expect(layoutText(chosen)).toBe("wait,job,-tier,-team");
    expect(layoutText(readLayout(layoutText(chosen), COLUMNS))).toBe("wait,job,-tier,-team");
  });

  test("a column moves past those out of sight, and stays at the ends", () => {
    expect(moved(first, "tier", 1).order).toEqual(["job", "team", "wait", "tier"]);
    expect(moved(first, "job", -1)).toBe(first);
  });

  test("the last column in sight stays", () => {
    const one = ["job", "tier"].reduce(toggled, first);
    expect(one.hidden).toHaveLength(3);
    expect(toggled(one, "wait")).toBe(one);
  });

  test("what was kept before a column came, or of columns that are gone, does no harm", () => {
    expect(readLayout("wait,gone,-job", COLUMNS)).toEqual({
      order: ["wait", "tier", "team", "job"],
      hidden: ["team", "job"],
    });
    expect(readLayout("-job,-tier,-team,-wait", COLUMNS)).toEqual(first);
    expect(readLayout(null, COLUMNS)).toEqual(first);
  });
});
