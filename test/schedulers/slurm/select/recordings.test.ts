import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { replay, type TruthFile } from "./replay.ts";

const folder = new URL("../../../truth/slurm/", import.meta.url);

/** Starts that more than the free nodes decide: which nodes were left to choose from is another part's rule. */
const NOT_BY_CHOICE: Readonly<Record<string, string>> = {
  "03b-backfill-spare-node C#0": "n3 is planned for B",
  "03b-backfill-spare-node D#0": "n3 is planned for B",
  "03c-backfill-conservative E#0": "n3 is planned for another job",
  "03g-backfill-easy-like D#0": "n3 is planned for another job",
  "05i-preempt-vs-free-node L1#1": "H1 ends in the same second, after this start",
  "06c-preempt-suspend-gang-cpu H#0": "L1 is suspended for it",
  "07c-multi-partition-job m2#0": "starts in the second of its partitions",
  "08-multifactor p3#0": "p4 goes first in the same second",
  "14b-user-reservation D#0": "n1 and n2 are reserved",
  "17b-node-crash A#1": "n1 is down",
};

describe("where a real Slurm placed its jobs", () => {
  const names = readdirSync(folder).filter((each) => each.endsWith(".json"));
  for (const name of names.sort()) {
    it(`nodes and GPU indices of ${name.replace(".json", "")}`, () => {
      const file = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as TruthFile;
      const wrong = replay(file).filter(
        (each) =>
          each.chosen !== each.recorded &&
          NOT_BY_CHOICE[`${name.replace(".json", "")} ${each.job}`] === undefined,
      );
      expect(wrong).toEqual([]);
    });
  }
});
