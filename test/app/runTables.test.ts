import { tableFromIPC } from "@uwdata/flechette";
import { describe, expect, test } from "vitest";
import { arrowFile } from "../../src/app/share/tables/arrowFile.ts";
import { TableBuilder } from "../../src/app/share/tables/columns.ts";
import { csvFile } from "../../src/app/share/tables/csvFile.ts";

function small() {
  const table = new TableBuilder(
    [
      ["job_id", "text"],
      ["gpus", "whole"],
      ["start_ms", "number"],
    ],
    3,
  );
  table.add('a, "b"', 8, 1_700_000_000_000);
  table.add("=HYPERLINK()", 1, null);
  table.add("é", 2, Number.POSITIVE_INFINITY);
  table.add("one too many", 4, 0);
  return table.table();
}

test("a table takes so many rows and says how many it left out", () => {
  expect(small()).toMatchObject({ rows: 3, leftOut: 1 });
});

describe("CSV", () => {
  test("has a line of names, quotes what needs quotes, leaves unknown values empty, and disarms formulas", async () => {
    expect((await csvFile(small())).join("")).toBe(
      'job_id,gpus,start_ms\r\n"a, ""b""",8,1700000000000\r\n"\'=HYPERLINK()",1,\r\né,2,\r\n',
    );
  });

  test("of many rows has them all, once", async () => {
    const table = new TableBuilder([["n", "whole"]]);
    for (let n = 0; n < 4_500; n++) table.add(n);
    const lines = (await csvFile(table.table())).join("").trimEnd().split("\r\n");
    expect(lines).toHaveLength(4_501);
    expect(lines[4_500]).toBe("4499");
  });
});

describe("Arrow", () => {
  test("reads back with the same values and with nulls", () => {
    const table = tableFromIPC(arrowFile(small()));
    expect([...(table.getChild("job_id") ?? [])]).toEqual(['a, "b"', "=HYPERLINK()", "é"]);
    expect([...(table.getChild("gpus") ?? [])]).toEqual([8, 1, 2]);
    expect([...(table.getChild("start_ms") ?? [])]).toEqual([1_700_000_000_000, null, null]);
  });
});
