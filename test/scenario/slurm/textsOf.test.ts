/** A first configuration describes the scenario that it was made from. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { LIBRARY, libraryScenario } from "../../../src/scenario/library/index.ts";
import { nodeNames } from "../../../src/scenario/nodeNames.ts";
import type { Scenario } from "../../../src/scenario/schema.ts";
import { parseSlurm } from "../../../src/scenario/slurm/parse.ts";
import { textsOf } from "../../../src/scenario/slurm/textsOf.ts";
import { expand } from "../../../src/workload/expand.ts";
import { must, mustRead } from "../scenarios.ts";

const read = (scenario: Scenario) =>
  must(parseSlurm(textsOf(scenario), scenario.cluster.flat ? [] : nodeNames(scenario.cluster)));

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
const names = (least: number, most: number) =>
  fc.uniqueArray(name, { minLength: least, maxLength: most });
const scenarios = fc
  .record({
    queues: names(0, 4),
    tiers: names(1, 5),
    teams: names(0, 5),
    groups: fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    count: fc.integer({ min: 1, max: 12 }),
    gpus: fc.integer({ min: 1, max: 8 }),
    nodesPerLeaf: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ groups, tiers, teams, queues, count, gpus, nodesPerLeaf }) =>
    mustRead({
      version: 1,
      cluster: {
        nodeGroups: groups.map((id, index) => ({ id, count, gpus: gpus + index })),
        fabric: { nodesPerLeaf },
      },
      tiers: tiers.map((id) => ({ id, name: id, letter: "T" })),
      teams: teams.map((id, index) => ({ id, shares: index + 1 })),
      queues,
    }),
  );

describe("a first configuration", () => {
  test("has the scenario's partitions, QOS by rank, accounts with shares, nodes and leaves, and nothing to say about itself", () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { config, notes } = read(scenario);
        expect(notes.filter((note) => note.kind !== "ignored")).toEqual([]);
        const queues = scenario.queues.length > 0 ? scenario.queues : ["main"];
        expect(config.partitions.map((partition) => partition.name)).toEqual(queues);
        const priority = new Map(config.qos.map((qos) => [qos.name, qos.priority]));
        const ranks = scenario.tiers.map((tier) => priority.get(tier.id)!);
        expect(ranks).toEqual(ranks.toSorted((a, b) => b - a));
        expect(new Set(ranks).size).toBe(ranks.length);
        for (const team of scenario.teams) {
          const account = config.associations.find((each) => each.account === team.id);
          expect(account?.shares).toBe(team.shares);
        }
        expect(config.nodes.map((node) => node.name)).toEqual(nodeNames(scenario.cluster));
        const leaves = config.switches.filter((each) => each.nodes.length > 0);
        const below = leaves.flatMap((leaf) => leaf.nodes);
        if (leaves.length > 0) expect(below).toEqual(nodeNames(scenario.cluster));
      }),
      { numRuns: 60 },
    );
  });

  test.each(LIBRARY.map((entry) => [entry.id] as const))("of %s runs there", (id) => {
    const scenario = libraryScenario(id)!;
    const pools = scenario.pools.map((pool) => ({
      ...pool,
      policy: { preset: "slurm", slurm: textsOf(scenario, pool.id), settings: {} },
    }));
    expect(expand({ ...scenario, pools }).ok).toBe(true);
  });

  test("starts every job of the first scenario of the library", () => {
    const scenario = libraryScenario("why-waiting")!;
    const policy = { preset: "slurm", slurm: textsOf(scenario), settings: {} };
    const pools = scenario.pools.map((pool) => ({ ...pool, policy }));
    const started = new Set<number>();
    const { world } = simulate({ ...scenario, pools }, undefined, {
      checks: false,
      onChunk: ({ runs }) => {
        for (const jobIdx of runs.jobIdx) started.add(jobIdx);
      },
    });
    expect(started.size).toBe(world.jobs.count);
  });

  test("of a flat machine names no nodes: its processors are Slurm's nodes", () => {
    const scenario = mustRead({
      version: 1,
      cluster: { flat: true, nodeGroups: [{ id: "machine", count: 1, gpus: 64 }] },
    });
    expect(read(scenario).config.nodes).toEqual([]);
    expect(textsOf(scenario).topology).toBe("");
  });

  test("of a pool is about its own nodes", () => {
    const scenario = mustRead({
      version: 1,
      cluster: {
        nodeGroups: [
          { id: "a", count: 2, gpus: 8 },
          { id: "b", count: 2, gpus: 4 },
        ],
        fabric: { nodesPerLeaf: 1 },
      },
      pools: [
        { id: "one", nodeGroups: ["a"] },
        { id: "two", nodeGroups: ["b"], route: {} },
      ],
    });
    const { config } = must(parseSlurm(textsOf(scenario, "two")));
    expect(config.nodes.map((node) => node.name)).toEqual(["b-000", "b-001"]);
    expect(config.switches.flatMap((each) => each.nodes)).toEqual(["b-000", "b-001"]);
  });

  test("takes names with blanks as Slurm writes them", () => {
    const scenario = mustRead({
      version: 1,
      title: "A cluster & more",
      cluster: { nodeGroups: [{ id: "a", count: 2, gpus: 8, cpus: 64, memGiB: 512 }] },
      tiers: [{ id: "very high", name: "x", letter: "V" }],
      queues: ["night shift"],
    });
    const { config } = read(scenario);
    expect(config.partitions.map((partition) => partition.name)).toEqual(["night shift"]);
    expect(config.qos.map((qos) => qos.name)).toContain("very high");
    expect(config.nodes[0]).toMatchObject({ cpus: 64, realMemoryMiB: 524_288 });
  });
});
