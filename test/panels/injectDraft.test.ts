/** An injected job with all that a job may say: what the form makes of it can be run, and what cannot is told at its field. */
import { describe, expect, test } from "vitest";
import {
  draftErrors,
  emptyDraft,
  injectEntry,
  jobProblems,
  type Machine,
  profilesOf,
} from "../../src/panels/inspector/inject/injectDraft.ts";
import { JOB_SCHEMA, LIFE_GROUPS } from "../../src/panels/inspector/inject/lifeSpecs.ts";
import { LIFE_KEYS } from "../../src/scenario/labSchema.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { isPart } from "../../src/ui/fields/fieldSpec.ts";
import { completed, schemaAt } from "../../src/ui/fields/leaf.ts";

const scenario = libraryScenario("lab-preemption")!;
const machine: Machine = { devices: 64, nodes: 8, largestNode: 8, word: "GPU", migProfiles: [] };
const draft = emptyDraft(scenario, machine);
const problems = (change: object) =>
  jobProblems(scenario, injectEntry({ ...draft, ...change }, "mine", 1_000));

describe("the form of an injected job", () => {
  test("has a field for everything that a job may do in its life, but for the speed of far memory and hangs", () => {
    const keys = LIFE_GROUPS.flatMap((group) => group.specs.map((spec) => spec.key));
    const missing = LIFE_KEYS.filter((key) => !keys.includes(key));
    expect(missing).toEqual(["hangsOnEndMs", "remoteNumaSpeed"]);
  });

  test.each(
    LIFE_GROUPS.flatMap((group) => group.specs)
      .filter(isPart)
      .map((spec) => spec.key),
  )("%s begins with something that the door takes", (key) => {
    const spec = LIFE_GROUPS.flatMap((group) => group.specs).find((each) => each.key === key)!;
    const first = isPart(spec) ? completed(schemaAt(JOB_SCHEMA, key), spec.first) : null;
    expect([...problems({ gpus: 8, life: { [key]: first } })]).toEqual([]);
  });

  test("the form has a field for everything that an elastic job may say, and what each begins with is taken", () => {
    const elastic = LIFE_GROUPS.flatMap((group) => group.specs).find(
      ({ key }) => key === "elastic",
    )!;
    const fields = isPart(elastic) ? elastic.fields : [];
    const shape = schemaAt(JOB_SCHEMA, "elastic");
    const first = completed(shape, {
      minMembers: 1,
      maxMembers: 16,
      allowed: [1],
      throughput: [{ members: 1, speed: 1 }],
    });
    expect(fields.map(({ key }) => key).sort()).toEqual(
      [...Object.keys(first as object), "deepspeed"].sort(),
    );
    const deepspeed = fields.find(({ key }) => key === "deepspeed")!;
    const own = isPart(deepspeed) ? deepspeed.first : null;
    const life = { elastic: { minMembers: 1, maxMembers: 16, deepspeed: own } };
    expect([...problems({ gpus: 8, life: life as never })]).toEqual([]);
  });

  test("a profile that no GPU here has is refused by name; where GPUs are not known its form is enough", () => {
    const group = (gpuModel: string, gpuMemMiB: number) =>
      ({ gpuModel, gpuMemMiB, gpusPerNode: 8 }) as Parameters<typeof profilesOf>[0][number];
    const h200 = group("H200", 141 * 1024);
    const error = (profile: string, ...groups: Parameters<typeof profilesOf>[0]) =>
      draftErrors(
        { ...draft, shape: "mig", migProfile: profile },
        { ...machine, migProfiles: profilesOf(groups) },
      ).migProfile;
    expect(error("banana", h200)).toBe("Name a profile, such as 1g.10gb.");
    expect(error("1g.10gb", h200)).toMatch(/^No GPU here has it: 1g\.18gb, .*7g\.141gb\.$/);
    expect(error("1g.18gb", h200)).toBeUndefined();
    expect(error("1g.18gb+me", h200)).toBeUndefined();
    expect(error("1g.10gb", h200, group("H100", 80 * 1024))).toBeUndefined();
    expect(error("1g.10gb", h200, group("X900", 80 * 1024))).toBeUndefined();
    const own = { ...machine, migProfiles: profilesOf([h200]) };
    expect(emptyDraft(scenario, own).migProfile).toBe("1g.18gb");
  });

  test("shares and MIG slices are members of one component", () => {
    expect(injectEntry({ ...draft, shape: "share", sharePercent: 25 }, "a", 0)).toMatchObject({
      job: { components: [{ members: 1, gpuShareMilli: 250 }] },
    });
    expect([...problems({ shape: "share", sharePercent: 25, members: 2 })]).toEqual([]);
    expect([...problems({ shape: "mig", migProfile: "1g.10gb" })]).toEqual([]);
  });

  test("what is wrong is told at its field, by its place in the job", () => {
    const elastic = { minMembers: 4, maxMembers: 2 };
    expect([...problems({ life: { elastic } }).keys()]).toEqual(["/elastic/minMembers"]);
    expect([...problems({ life: { startupMs: "soon" } }).keys()]).toEqual(["/startupMs"]);
    expect(problems({}).size).toBe(0);
  });
});
