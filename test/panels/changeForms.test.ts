/** Forms that are opened on a change: what they show is what the change says, and left alone they make the same change again. */
import { describe, expect, test } from "vitest";
import type { InjectDraft, Machine } from "../../src/panels/inspector/inject/injectDraft.ts";
import * as inject from "../../src/panels/inspector/inject/injectDraft.ts";
import * as reserve from "../../src/panels/inspector/reserve/reserveDraft.ts";
import * as sbatch from "../../src/panels/inspector/sbatch/sbatchDraft.ts";
import { draftOf, slurmTime, withRest } from "../../src/panels/inspector/sbatch/sbatchOf.ts";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import type { InterventionInput } from "../../src/scenario/interventions.ts";
import type { Intervention } from "../../src/scenario/schema.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const scenario = mustRead(small);
const machine: Machine = { devices: 8, nodes: 2, largestNode: 4, word: "GPU", migProfiles: [] };
type Injected = Extract<Intervention, { kind: "inject" }>;
type JobInput = Extract<InterventionInput, { kind: "inject" }>["job"];

function injected(job: Omit<JobInput, "id" | "workMs">): Injected {
  const made = completeIntervention({
    kind: "inject",
    atMs: 5_000,
    job: { id: "x", workMs: 60_000, ...job },
  });
  return made as Injected;
}

describe("an injected job", () => {
  const jobs: readonly Omit<JobInput, "id" | "workMs">[] = [
    { gpus: 3 },
    { nodes: 2, gpusPerNode: 4, limitMs: 90_000 },
    { components: [{ members: 2, gpuShareMilli: 250 }], tier: "low" },
    { components: [{ members: 1, migProfile: "2g.20gb" }] },
    { gpus: 2, name: "twin", kind: "interactive", gang: false, priority: 7, after: [{ job: "y" }] },
  ];
  test.each(jobs)("comes out of its form as it went in: %j", (job) => {
    const before = injected(job);
    const draft: InjectDraft = inject.draftOf(before.job, inject.emptyDraft(scenario, machine));
    expect(completeIntervention(inject.injectEntry(draft, draft.name, 5_000))).toEqual(before);
  });

  test("shows what it says, not what a new one would", () => {
    const draft = inject.draftOf(injected({ nodes: 1, gpusPerNode: 2 }).job, {
      ...inject.emptyDraft(scenario, machine),
      gpus: 8,
    });
    expect(draft).toMatchObject({
      name: "x",
      shape: "nodes",
      nodes: 1,
      gpusPerNode: 2,
      limitMs: 0,
      tier: "",
      life: {},
    });
  });
});

describe("a job under Slurm", () => {
  const site: sbatch.Site = {
    nodes: new Set(["n-000", "n-001"]),
    queues: ["night"],
    nowMs: 5_000,
    calendar: undefined,
    hasJob: () => true,
  };
  const before = injected({
    name: "train",
    limitMs: 36 * 3_600_000,
    beginMs: 65_000,
    user: "ada",
    after: [{ job: "y" }, { job: "z", kind: "after", delayMs: 120_000 }],
    cpusPerGpu: 4,
    slurm: {
      partitions: ["day", "night"],
      minNodes: 1,
      maxNodes: 2,
      gpusPerNode: 4,
      gpuType: "h100",
      nice: -5,
      exclusive: "node",
    },
  });

  test("comes out of its form as it went in, with what the form does not ask for", () => {
    const draft = draftOf(before.job, site);
    expect(sbatch.draftErrors(draft, site)).toEqual({});
    const entry = sbatch.injectEntry(draft, "x", site);
    const after = completeIntervention({
      ...entry,
      note: undefined,
      job: withRest(entry.job, before.job),
    });
    expect(after).toEqual({ ...before, note: undefined });
  });

  test("says its times as sbatch takes them", () => {
    expect(slurmTime(36 * 3_600_000)).toBe("1-12:00:00");
    expect(slurmTime(90_000)).toBe("0:01:30");
  });

  test("is in the one partition that was chosen afterwards", () => {
    const draft = { ...draftOf(before.job, site), partition: "day" };
    const entry = sbatch.injectEntry(draft, "x", site);
    expect(withRest(entry.job, before.job).slurm?.partitions).toEqual(["day"]);
  });
});

test("a reservation comes out of its form as it went in", () => {
  const before = completeIntervention({
    kind: "reserve",
    atMs: 5_000,
    name: "maint",
    startMs: 125_000,
    endMs: 3_725_000,
    nodes: "n-000",
    users: ["root"],
    flags: ["MAINT"],
  });
  if (before.kind !== "reserve") throw new Error("a reservation");
  const site: reserve.ReserveSite = {
    nodes: new Set(["n-000"]),
    taken: new Set(),
    nowMs: 5_000,
    calendar: undefined,
  };
  const draft = reserve.draftOf(before);
  expect(reserve.reserveErrors(draft, site)).toEqual({});
  expect(completeIntervention(reserve.reserveEntry(draft, site))).toEqual(before);
});
