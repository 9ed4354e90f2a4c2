/** What the card of a job in the policy lab says of an elastic one. */
import { expect, test } from "vitest";
import type { JobFacts } from "../../src/engine/jobFacts.ts";
import type { Elastic, JobLife } from "../../src/model/lab/jobLife.ts";
import { factLines, type LineContext } from "../../src/panels/inspector/lab/labJobWords.ts";

const context = {
  atMs: 0,
  moment: { kind: "running" },
  story: { decisions: [], runs: [] },
  deviceWord: "GPU",
  heldDevices: 6,
  memberDevices: 1,
  membersAsked: 6,
} as unknown as LineContext;
const elastic = {
  minMembers: 2,
  maxMembers: 8,
  allowed: [2, 3, 4, 6],
  rendezvousMs: 120_000,
  maxRestarts: 1_000_000,
};

function told(
  restart: Elastic["restart"],
  change: Partial<Elastic> = {},
  speedQ16 = 65_536,
  restartsLeft = -1,
) {
  const life = { startupMs: 0, elastic: { ...elastic, restart, ...change } } as unknown as JobLife;
  const facts = {
    lab: null,
    life,
    run: { speedQ16, slowedBy: null },
    restartsLeft,
  } as unknown as JobFacts;
  const lines = factLines(facts, context).map(([name, value]) => [
    name,
    value.replaceAll("\u00a0", " "),
  ]);
  return Object.fromEntries(lines);
}

test("an elastic job says what a change of its members costs it, as its trainer restarts", () => {
  expect(told("torchrun")).toMatchObject({
    "Members now": "6",
    "Runs with": "2, 3, 4, 6 members",
    "A change of members": "2 m pause, all go on from what is saved (torchrun)",
  });
  expect(told("torchrun")).not.toHaveProperty("Fails at");
  expect(told("torchrun", { maxRestarts: 0 })["Fails at"]).toBe("the first loss of members");
  expect(told("torchrun", { maxRestarts: 2 })["Fails at"]).toContain("2 restarts in all");
  expect(told("torchrun", { maxRestarts: 2 }, 65_536, 1)["Restarts left"]).toBe(
    "1 of 2 in this run",
  );
  expect(told("torchrun", {}, 65_536, 1_000_000)).not.toHaveProperty("Restarts left");
  expect(told("horovod")["A change of members"]).toBe("2 m pause, no work lost (Horovod)");
  expect(told("none")["A change of members"]).toBe("costs nothing");
});

test("who runs faster than it was made for is not said to run at more than its full speed", () => {
  expect(told("none", {}, 92_406)["Speed"]).toMatch(/^141 % of the speed it was made for/);
  expect(told("none", {}, 32_768)["Speed"]).toBe("50 % of its full speed");
});

test("a job under DeepSpeed's rule says its batch, and how the GPUs that it has cut it", () => {
  const deepspeed = { batch: 24, sizes: [2, 3, 4, 6], microBatches: [2, 4] };
  const line = (change: Partial<LineContext>) => {
    const life = { startupMs: 0, elastic: { ...elastic, restart: "none", deepspeed } };
    const facts = { lab: null, life, run: null } as unknown as JobFacts;
    const lines = factLines(facts, { ...context, ...change });
    return Object.fromEntries(lines)["DeepSpeed’s batch"]?.replaceAll("\u00a0", " ");
  };
  expect(line({})).toMatch(/^24 samples on 6 GPUs: micro-batch 4, gradient accumulation 1$/);
  // The fifth member is in reserve.
  expect(line({ heldDevices: 5 })).toMatch(/on 4 GPUs: micro-batch 2, gradient accumulation 3$/);
  expect(line({ moment: { kind: "between" } })).toBe("24 samples");
});

test("outside the lab it has no more members than it asks for", () => {
  const many = { allowed: [2, 3, 4, 5, 6, 7, 8] };
  expect(told("none", many)["Runs with"]).toBe("2, 3, 4, 5, 6 members");
  expect(told("none", { allowed: [], minMembers: 2 })["Runs with"]).toBe("2 to 6 members");
});
