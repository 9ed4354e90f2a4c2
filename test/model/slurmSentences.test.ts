import { expect, test } from "vitest";
import { SLURM_REASONS } from "../../src/model/slurm/reasons.ts";
import { slurmSentence } from "../../src/model/slurm/sentences.ts";

test("every reason of Slurm has one sentence of its own words", () => {
  for (const reason of SLURM_REASONS) {
    const sentence = slurmSentence(reason);
    expect(sentence, reason).toMatch(/^[A-Z].*\.$/);
    expect(sentence, reason).not.toContain(" resources;");
  }
});

test("a limit says whose it is, what it counts, and what would end the wait", () => {
  expect(slurmSentence("QOSMaxGRESPerUser")).toBe(
    "Its QOS allows each user no more generic resources (GRES); it waits until jobs that count towards this limit end.",
  );
  expect(slurmSentence("AssocGrpGRESMinutes")).toBe(
    "All jobs of its account or association together may use no more GRES minutes; it waits until past use has decayed or the limit is raised.",
  );
  expect(slurmSentence("QOSMaxWallDurationPerJobLimit")).toContain(
    "less run time than it asks for",
  );
  expect(slurmSentence("QOSMaxCpuPerNode")).toContain("less CPUs on one node");
});
