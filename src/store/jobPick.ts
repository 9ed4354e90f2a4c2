/** Rows that stand for jobs: which of them is selected, and selecting by a row. */
import { run } from "./commands.ts";
import { useApp } from "./store.ts";

interface JobPick<Row> {
  readonly isSelected: (row: Row) => boolean;
  readonly onPick: (row: Row) => void;
}

export function useJobPick<Row extends { readonly jobIdx: number }>(): JobPick<Row> {
  const selected = useApp((state) =>
    state.selection?.kind === "job" ? state.selection.jobIdx : -1,
  );
  return {
    isSelected: (row) => row.jobIdx === selected,
    onPick: (row) => run("selectJob", { jobIdx: row.jobIdx }),
  };
}
