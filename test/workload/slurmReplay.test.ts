/** Output of sacct on the cluster of a slurm.conf: what the log does not say is what Slurm would fill in. */
import { describe, expect, test } from "vitest";
import { readForeign } from "../../src/formats/registry.ts";
import { scenarioFromSlurm } from "../../src/scenario/slurm/importCluster.ts";
import { replayOn } from "../../src/scenario/slurm/replayOn.ts";
import { expand } from "../../src/workload/expand.ts";
import { suggestScenario } from "../../src/workload/suggest.ts";
import { must, mustRead } from "../scenario/scenarios.ts";
import { filesOf } from "../scenario/slurm/files.ts";

const conf = `NodeName=g[1-2] CPUs=64 RealMemory=500000 Gres=gpu:a100:4
PartitionName=long Nodes=g[1-2]
PartitionName=short Nodes=g2 Default=YES
`;
const accounting = `add qos urgent priority=9
add qos scrap priority=1
add account vision
add user ada account=vision defaultqos=scrap
`;
const log = (
  header: string,
  more: string,
) => `JobID|User|Submit|Start|End|State|ElapsedRaw|TimelimitRaw|AllocTRES|${header}
1|ada|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T01:01:00|COMPLETED|3600|120|cpu=8,gres/gpu=4,node=1|${more}
2|bob|2025-01-01T00:00:00|2025-01-01T00:01:00|2025-01-01T01:01:00|COMPLETED|3600|120|cpu=8,gres/gpu=4,node=1|${more}
`;

function replayed(header: string, more: string, enforce = "") {
  const files = filesOf({ conf: `${conf}${enforce}`, accounting });
  const open = mustRead(must(scenarioFromSlurm(files)).scenario);
  const parsed = must(
    readForeign(new TextEncoder().encode(log(header, more)), "sacct.txt"),
  ).workload;
  const identity = { name: "sacct.txt", sha256: "0".repeat(64), bytes: 1 };
  const { scenario, unmatched, refusesAll } = replayOn(
    open,
    mustRead(suggestScenario(identity, parsed).scenario),
    parsed.users,
  );
  const { jobs, tiers, queues, teams } = must(expand(scenario, parsed));
  const of = (list: readonly { id: string }[], index: number) => list[index]?.id;
  return {
    unmatched,
    refusesAll,
    tiers: tiers.map((tier) => tier.id),
    jobs: [0, 1].map((job) => [
      of(tiers, jobs.at.tier[job]!),
      queues[jobs.at.queue[job]!],
      of(teams, jobs.at.team[job]!),
    ]),
  };
}

describe("a log replayed on an open cluster", () => {
  test("that names no QOS brings no tiers of its own: its jobs have the QOS that Slurm gives them", () => {
    const { tiers, jobs, unmatched } = replayed("Account|Partition", "vision|long");
    expect(tiers).toEqual(["urgent", "scrap", "normal"]);
    expect(jobs).toEqual([
      ["scrap", "long", "vision"],
      ["normal", "long", "vision"],
    ]);
    expect(unmatched).toEqual([]);
  });

  test("that names neither account nor partition takes the defaults of both", () => {
    const { jobs } = replayed("QOS", "urgent");
    expect(jobs[0]).toEqual(["urgent", "short", "vision"]);
  });

  test("keeps QOS that the configuration does not know, and tells them", () => {
    const { tiers, unmatched } = replayed("QOS|Partition", "gone|long");
    expect(tiers).toContain("gone");
    expect(unmatched.join(" ")).toContain("no QOS gone");
  });

  test("is refused as a whole only where associations are enforced and nobody of it has one", () => {
    const enforced = "AccountingStorageEnforce=limits\n";
    expect(replayed("Account", "vision", enforced).refusesAll).toBeNull();
    expect(replayed("Account", "gone", enforced).refusesAll).toMatch(/none of the file’s accounts/);
    expect(replayed("Account", "gone").refusesAll).toBeNull();
  });
});
