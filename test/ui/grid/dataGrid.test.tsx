import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GridColumn } from "../../../src/ui/grid/column.ts";
import { DataGrid } from "../../../src/ui/grid/DataGrid.tsx";

const MINUTE = 60_000;
interface Row {
  readonly id: number;
  readonly team: string;
  readonly gpus: number;
  readonly waitedMs: number;
}
const ROWS: readonly Row[] = [
  { id: 1, team: "vision", gpus: 8, waitedMs: 5 * MINUTE },
  { id: 2, team: "text", gpus: 16, waitedMs: 20 * MINUTE },
  { id: 3, team: "vision", gpus: 16, waitedMs: 1 * MINUTE },
  { id: 4, team: "text", gpus: 8, waitedMs: 90 * MINUTE },
];
const COLUMNS: readonly GridColumn<Row>[] = [
  { id: "job", label: "job", width: "60px", value: (row) => row.id, text: (row) => `j${row.id}` },
  {
    id: "team",
    label: "team",
    width: "80px",
    groups: true,
    value: (row) => row.team,
    text: (row) => row.team,
  },
  {
    id: "gpus",
    label: "GPUs",
    width: "50px",
    right: true,
    value: (row) => row.gpus,
    text: (row) => String(row.gpus),
    sum: String,
  },
  {
    id: "waited",
    label: "waited",
    width: "70px",
    right: true,
    kind: "duration",
    value: (row) => row.waitedMs,
    text: (row) => `${row.waitedMs / MINUTE}\u00a0m`,
  },
];
const pick = vi.fn<(row: Row) => void>();
let kept: string | null = null;

function show(): void {
  render(
    <DataGrid
      label="Jobs"
      columns={COLUMNS}
      rows={ROWS}
      keyOf={(row) => row.id}
      onPick={pick}
      leastCss={200}
      noun="job"
      memory={{
        read: () => kept,
        write: (text) => {
          kept = text;
        },
      }}
    />,
  );
}
const body = () => screen.getAllByRole("row").slice(1);
const texts = () =>
  body().map((row) =>
    within(row)
      .getAllByRole("gridcell")
      .map((cell) => cell.textContent?.replaceAll("\u00a0", " ")),
  );
const ids = () => texts().map((cells) => cells[0]);
const head = (name: RegExp) => screen.getByRole("button", { name });
const heads = () => screen.getAllByRole("columnheader").map((each) => each.textContent);

beforeEach(() => {
  kept = null;
  pick.mockClear();
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(240);
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(900);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

describe("a table of rows", () => {
  test("sorts by a second column with Shift, by pointer or keys, and numbers the two", async () => {
    const user = userEvent.setup();
    show();
    await user.click(head(/^GPUs/));
    expect(ids()).toEqual(["j2", "j3", "j1", "j4"]);
    await user.keyboard("{Shift>}");
    await user.click(head(/^waited/));
    await user.keyboard("{/Shift}");
    expect(ids()).toEqual(["j2", "j3", "j4", "j1"]);
    expect(heads()).toEqual(["job", "team", "GPUs ↓1", "waited ↓2"]);
    head(/^waited/).focus();
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(ids()).toEqual(["j3", "j2", "j1", "j4"]);
    expect(heads()).toEqual(["job", "team", "GPUs ↓1", "waited ↑2"]);
  });

  test("filters by what is typed above columns, says how many are left, and takes all filters away at once", async () => {
    const user = userEvent.setup();
    show();
    await user.click(screen.getByRole("button", { name: "Filter columns" }));
    await user.type(screen.getByRole("textbox", { name: "Filter waited" }), ">2m");
    await user.type(screen.getByRole("textbox", { name: "Filter team" }), "text");
    expect(
      texts()
        .slice(1)
        .map((cells) => cells[0]),
    ).toEqual(["j2", "j4"]);
    await user.click(screen.getByRole("button", { name: /^2 of 4/ }));
    expect(texts()).toHaveLength(5);
    await user.type(screen.getByRole("textbox", { name: "Filter GPUs" }), ">64");
    expect(screen.getByText("No job matches GPUs >64.")).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(texts()).toHaveLength(5);
  });

  test("puts rows together with counts and sums; groups open and close by keys, and sort by their sums", async () => {
    const user = userEvent.setup();
    show();
    await user.selectOptions(screen.getByRole("combobox", { name: "Group rows" }), "team");
    expect(texts()).toEqual([
      ["▸ vision 2 jobs", "24", ""],
      ["▸ text 2 jobs", "24", ""],
    ]);
    await user.click(head(/^waited/));
    expect(ids()[0]).toBe("▸ text 2 jobs");
    screen.getByRole("treegrid").focus();
    await user.keyboard("{ArrowRight}{ArrowDown}{Enter}");
    expect(ids()).toEqual(["▾ text 2 jobs", "j4", "j2", "▸ vision 2 jobs"]);
    expect(pick).toHaveBeenCalledWith(ROWS[3]);
    await user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(ids()).toEqual(["▸ text 2 jobs", "▸ vision 2 jobs"]);
    await user.keyboard("{Shift>}{ArrowRight}{/Shift}");
    expect(body()).toHaveLength(6);
  });

  test("columns hide and move, by menu or Alt and arrows, and are the same at the next visit", async () => {
    const user = userEvent.setup();
    show();
    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(screen.getByRole("checkbox", { name: "team" }));
    await user.click(screen.getByRole("button", { name: "waited: to the left" }));
    await user.keyboard("{Escape}");
    expect(heads()).toEqual(["job", "waited", "GPUs"]);
    head(/^job/).focus();
    await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
    expect(heads()).toEqual(["waited", "job", "GPUs"]);
    cleanup();
    show();
    expect(heads()).toEqual(["waited", "job", "GPUs"]);
    await user.click(screen.getByRole("button", { name: "Columns" }));
    await user.click(screen.getByRole("button", { name: "As the table came" }));
    expect(heads()).toEqual(["job", "team", "GPUs", "waited"]);
    expect(kept).toBeNull();
  });

  test("copies what it shows: rows in their order with units in the heads, or its groups", async () => {
    const user = userEvent.setup();
    show();
    await user.click(head(/^GPUs/));
    screen.getByRole("grid").focus();
    await user.keyboard("{Control>}c{/Control}");
    expect(await navigator.clipboard.readText()).toBe(
      [
        "job\tteam\tGPUs\twaited [s]",
        "j2\ttext\t16\t1200",
        "j3\tvision\t16\t60",
        "j1\tvision\t8\t300",
        "j4\ttext\t8\t5400",
      ].join("\n"),
    );
    await user.selectOptions(screen.getByRole("combobox", { name: "Group rows" }), "team");
    await user.click(screen.getByRole("button", { name: "Copy groups" }));
    expect(await navigator.clipboard.readText()).toBe(
      "team\tjobs\tGPUs\nvision\t2\t24\ntext\t2\t24",
    );
    expect((await screen.findByText(/lines copied/)).textContent).toContain("2");
  });
});
