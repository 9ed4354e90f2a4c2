/** Commands of the Gantt's level of detail; what a leaf shows now is known to the Gantt alone. */
import { stepAllLeaves, stepLeaf } from "../../panels/gantt/leafLevels.ts";
import { define } from "../../store/commands.ts";

export function defineLeafCommands(): void {
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
}
