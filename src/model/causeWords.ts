/** What the page calls each wait cause, and what it means. */
import type { WaitCause } from "./waitCauses.ts";

export interface CauseWords {
  readonly label: string;
  readonly meaning: string;
}

/** `word`: what a device is called, `GPU` or `processor`. */
export function causeWords(cause: WaitCause, word: string): CauseWords {
  return WORDS[cause](word);
}

const WORDS: Readonly<Record<WaitCause, (word: string) => CauseWords>> = {
  size: (word) => ({
    label: "more than is free",
    meaning: `The job asks for more ${word}s than are free.`,
  }),
  fragmentation: (word) => ({
    label: "free, but scattered",
    meaning: `Enough ${word}s are free, but not where or in the shape that the job asks for.`,
  }),
  order: () => ({
    label: "behind others",
    meaning: "Other jobs come first: nobody may pass, or it does not fit beside them.",
  }),
  reservation: (word) => ({
    label: "held for a reservation",
    meaning: `It would fit, but the ${word}s are held for a job with a reservation.`,
  }),
  quota: () => ({
    label: "quota or limit",
    meaning: "A quota, a ceiling or used-up hours of its user, team or tier.",
  }),
  auction: () => ({
    label: "auction not won",
    meaning: "Auctioned capacity: its bid has not won, or its team has no credits.",
  }),
  window: () => ({
    label: "kept for a window",
    meaning: "Nodes are kept for a window, a maintenance or a reservation by name.",
  }),
  closed: () => ({
    label: "drained, down, failed",
    meaning: "The nodes that could serve are drained or down, or a device has failed.",
  }),
  closedOrKept: () => ({
    label: "down, drained or reserved",
    meaning:
      "The nodes that could serve are down, drained, or kept for jobs of partitions with a higher priority: Slurm does not say which.",
  }),
  scheduler: () => ({
    label: "not looked at yet",
    meaning: "The next pass has not come, or did not look so deep into the queue.",
  }),
  comingRoom: () => ({
    label: "room on its way",
    meaning: "Room has been made: victims end, or a node boots or is handed over.",
  }),
  protected: () => ({
    label: "victims protected",
    meaning: "It could preempt, but those who would give way are protected.",
  }),
  notReady: () => ({
    label: "not ready to start",
    meaning: "Held, before its begin time, or it depends on other jobs.",
  }),
  never: () => ({
    label: "can never start",
    meaning: "No end of any job would let it start as the rules are.",
  }),
};
