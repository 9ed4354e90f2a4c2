import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { everFits, REFUSALS } from "../../../../src/schedulers/slurm/select/everFits.ts";
import { layNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { selectOptions } from "../../../../src/schedulers/slurm/select/options.ts";
import { wantedOf } from "../../../../src/schedulers/slurm/select/wanted.ts";
import { poolViewOf } from "./pool.ts";
import { configOf, memberOf, requestOf, type TruthFile } from "./replay.ts";

const read = (name: string): TruthFile =>
  JSON.parse(
    readFileSync(new URL(`../../../truth/slurm/${name}.json`, import.meta.url), "utf8"),
  ) as TruthFile;

/** The answer at submission for each job of a recording. */
function answers(name: string): Record<string, string> {
  const file = read(name);
  const config = configOf(file);
  const requests = file.jobs.map(requestOf);
  const cluster = { nodes: file.cluster.nodes.map((node) => ({ ...node, memMiB: 0 })) };
  const { view } = poolViewOf(cluster, requests.map(memberOf), requests);
  const nodes = layNodes(view, config);
  const all = new Int32Array(nodes.words).fill((1 << nodes.count) - 1);
  return Object.fromEntries(
    file.jobs.map((job, jobIdx) => {
      const partition =
        config.partitions.find((each) => each.name === job.partition) ?? config.partitions[0]!;
      const wanted = wantedOf(view, config, nodes, partition, jobIdx);
      return [job.id, everFits(nodes, wanted, all, selectOptions(config, partition))];
    }),
  );
}

describe("what is refused at submission", () => {
  it("features that do not meet on enough nodes, and features that nobody has (11h)", () => {
    expect(answers("11h-features")).toMatchObject({
      c3: "fits",
      c4: "nodeConfig",
      c5: "fits",
      c6: "nodeConfig",
      c7: "nodeConfig",
      c8: "feature",
      c9: "fits",
    });
    expect(REFUSALS.nodeConfig).toBe("Requested node configuration is not available");
    expect(REFUSALS.feature).toBe("Invalid feature specification");
  });

  it("more GPUs than a node has is refused, more nodes than a partition gives is its limit (13d)", () => {
    expect(answers("13d-partition-limits")).toMatchObject({
      p2: "partitionLimit",
      p3: "fits",
      p5: "nodeConfig",
      p6: "partitionLimit",
    });
  });
});
