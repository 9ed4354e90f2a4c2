/** Commands of futures side by side: keep one, compare, go on from one, forget one. */
import { BRANCH_LETTERS, BRANCHES_MOST, type Branch, branches } from "../../store/branches.ts";
import { define } from "../../store/commands.ts";
import { editDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import { type Future, runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";

export function defineCompareCommands(): void {
  define("keepBranch", {
    label: "Keep this future to compare",
    keys: ["K"],
    group: "edit",
    disabled: () => whyNotKept(runData.get().current),
    run: () => {
      if (keep(runData.get().current))
        notify(
          `Kept as ${BRANCH_LETTERS[branches.get().length - 1]}. Change something, then press C.`,
        );
    },
  });
  define("toggleCompare", {
    label: "Compare futures side by side",
    keys: ["C"],
    group: "view",
    disabled: () => (runData.get().stage ? null : "Nothing runs yet"),
    run: () => {
      const { comparing } = useApp.getState();
      const { current, ghost } = runData.get();
      if (!comparing && branches.get().length === 0) keep(ghost?.done ? ghost : current);
      useApp.setState({ comparing: !comparing, side: "inspector" });
    },
  });
  define("compareWithBefore", {
    label: "Compare with the future before the last change",
    group: "view",
    disabled: () => (runData.get().ghost ? null : "There was no change yet"),
    run: () => {
      const { ghost } = runData.get();
      if (ghost && !branches.has(ghost)) {
        if (branches.get().length === BRANCHES_MOST) branches.remove(0);
        keep(ghost);
      }
      useApp.setState({ comparing: true, side: "inspector" });
    },
  });
  define("openBranch", {
    label: "Go on from a kept future",
    group: "edit",
    run: async ({ index }) => {
      const branch = branches.get()[index];
      if (!branch) return;
      const { current } = runData.get();
      const letter = BRANCH_LETTERS[index]!;
      if (!branches.has(current)) keep(current);
      await editDocument(branch.scenario, `Go on from ${letter}`);
      notify(`Going on from ${letter}.`, true);
    },
  });
  define("forgetBranch", {
    label: "Forget a kept future",
    group: "edit",
    run: ({ index }) => branches.remove(index),
  });
}

function whyNotKept(future: Future): string | null {
  if (!future.done) return "The run is not complete yet";
  if (branches.has(future)) return "It is kept already";
  if (branches.get().length >= BRANCHES_MOST)
    return `At most ${BRANCHES_MOST} are kept: forget one`;
  return null;
}

function keep(future: Future): boolean {
  const { stage } = runData.get();
  const { scenario } = future;
  if (!stage || !scenario) return false;
  const branch: Branch = { scenario, stage, future };
  return branches.keep(branch);
}
