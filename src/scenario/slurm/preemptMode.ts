/** The words of `PreemptMode`, of the cluster, a partition or a QOS: one mode, with GANG or WITHIN beside it. */
import type { PreemptMode } from "../../model/slurm/config.ts";
import { keyOf } from "./lex.ts";
import { nameList } from "./values.ts";

export const PREEMPT_MODE_HELP =
  "Use OFF, CANCEL, REQUEUE or SUSPEND, with GANG or WITHIN where wanted.";

/** What is usual, for choice: of the cluster, and of a partition or a QOS. */
export const PREEMPT_MODES: readonly string[] = [
  "OFF",
  "REQUEUE",
  "CANCEL",
  "SUSPEND,GANG",
  "REQUEUE,GANG",
  "REQUEUE,WITHIN",
  "CANCEL,WITHIN",
  "GANG",
];
export const OWN_PREEMPT_MODES: readonly string[] = ["OFF", "REQUEUE", "CANCEL", "SUSPEND"];

export interface PreemptWords {
  /** null = only GANG or WITHIN is named. */
  readonly mode: Exclude<PreemptMode, "within"> | null;
  readonly gang: boolean;
  readonly within: boolean;
}

/** null: there is a word that is not known. */
export function preemptWords(text: string): PreemptWords | null {
  let mode: PreemptWords["mode"] = null;
  let gang = false;
  let within = false;
  for (const word of nameList(text).map(keyOf)) {
    if (word === "gang") gang = true;
    else if (word === "within") within = true;
    else if (word === "off" || word === "cancel" || word === "requeue" || word === "suspend") {
      mode = word;
    } else return null;
  }
  return { mode, gang, within };
}
