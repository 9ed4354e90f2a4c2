/** Files of a Slurm cluster as the page hands them over: alone, one after the other, and files that are something else. */
import { describe, expect, test } from "vitest";
import type { SlurmOutcome } from "../../src/protocol/messages.ts";
import type { Scenario } from "../../src/scenario/schema.ts";
import { readSlurmFile } from "../../src/worker/slurmFile.ts";

const CONF =
  "ClusterName=c1\nNodeName=n[1-2] CPUs=8 Gres=gpu:4\nPartitionName=p Nodes=ALL Default=YES\n";

function drop(text: string, open: Scenario | null): SlurmOutcome {
  return readSlurmFile("file", new TextEncoder().encode(text), open);
}

function dropped(
  text: string,
  open: Scenario | null,
): { outcome: SlurmOutcome & { kind: "read" }; scenario: Scenario } {
  const outcome = drop(text, open);
  if (outcome.kind !== "read") throw new Error(JSON.stringify(outcome));
  return { outcome, scenario: JSON.parse(outcome.json) as Scenario };
}

describe("a file of a Slurm cluster", () => {
  test("alone makes a scenario that opens", () => {
    const { outcome, scenario } = dropped(CONF, null);
    expect(outcome).toMatchObject({ file: "conf", newCluster: true, guessed: false });
    expect(scenario).toMatchObject({
      title: "c1",
      queues: ["p"],
      pools: [{ policy: { preset: "slurm" } }],
    });
  });

  test("after another joins it", () => {
    const first = dropped(CONF, null).scenario;
    const second = dropped("NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia[0-3]\n", first);
    expect(second.outcome.file).toBe("gres");
    expect(second.scenario.cluster.nodeGroups[0]!.gpuModel).toBe("H100");
    expect(second.scenario.pools[0]!.policy.slurm!.conf).toBe(CONF);
  });

  test("that is wrong gives its problems", () => {
    expect(drop("NodeName=n1\nKillWait=x\n", null)).toMatchObject({
      kind: "problems",
      problems: [{ place: "slurm.conf:2, KillWait" }],
    });
    expect(drop("SwitchName=s Nodes=n1\n", null)).toMatchObject({ kind: "problems" });
    expect(drop(`# ${"x".repeat(600_000)}\n${CONF}`, null)).toMatchObject({ kind: "problems" });
  });
});

test("another file is none of Slurm's", () => {
  expect(drop('{"version":1}', null)).toEqual({ kind: "other" });
  expect(drop("1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n", null)).toEqual({ kind: "other" });
});
