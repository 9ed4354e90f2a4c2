/** Commands of the Gantt's rows and marks: what rows are, level of detail (what a leaf shows now is known to the Gantt alone), bookmarks. */

import { canGroup, GROUP_WORDS } from "../../panels/gantt/groupWords.ts";
import { stepAllLeaves, stepLeaf } from "../../panels/gantt/leafLevels.ts";
import { BOOKMARKS_MOST } from "../../store/bookmarks.ts";
import { define } from "../../store/commands.ts";
import { notify } from "../../store/notices.ts";
import { runData } from "../../store/runData.ts";
import { showDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";

export function defineLeafCommands(): void {
  define("groupRows", {
    label: "Group the rows of the Gantt",
    group: "view",
    disabled: () => (runData.get().stage ? null : "Open a scenario first"),
    run: ({ by }) => {
      const { stage } = runData.get();
      if (!stage || by === useApp.getState().grouping) return;
      if (!canGroup(stage, by)) {
        notify(`Rows cannot be grouped by ${GROUP_WORDS[by]} here: the cluster has none.`);
        return;
      }
      // Levels chosen by hand were those of other groups.
      useApp.setState({ grouping: by, leafLevels: {} });
      notify(`Rows are grouped by ${GROUP_WORDS[by]}.`);
    },
  });
  define("stepLeafLevel", {
    label: "Level of detail of a leaf",
    group: "view",
    run: ({ leaf }) => stepLeaf(leaf < 0 ? undefined : leaf),
  });
  define("stepAllLeafLevels", {
    label: "Level of detail of all leaves",
    keys: ["Shift+V"],
    group: "view",
    run: stepAllLeaves,
  });
  const noStage = () => (runData.get().stage ? null : "Open a scenario first");
  define("addBookmark", {
    label: "Bookmark with a text",
    group: "view",
    disabled: () =>
      noStage() ??
      (useApp.getState().bookmarks.length < BOOKMARKS_MOST
        ? null
        : `There are ${BOOKMARKS_MOST} already`),
    run: ({ range: ofRange }) => {
      const { cursorMs, range } = useApp.getState();
      if (ofRange && !range) {
        notify("Mark a stretch first: drag over free ground of the Gantt, or press R.");
        return;
      }
      const fresh =
        ofRange && range
          ? { atMs: Math.round(range.fromMs), toMs: Math.round(range.toMs) }
          : { atMs: Math.round(cursorMs) };
      showDialog({ kind: "bookmarks", fresh });
    },
  });
  define("openBookmarks", {
    label: "Bookmarks …",
    group: "view",
    disabled: noStage,
    run: () => showDialog({ kind: "bookmarks", fresh: null }),
  });
}
