import { describe, expect, test } from "vitest";
import { Simulation } from "../../../src/engine/simulation.ts";
import { linkLines, linkSentence } from "../../../src/panels/inspector/subjects/leafWords.ts";
import { labNetwork } from "../../../src/scenario/library/labNetwork.ts";
import { readScenario } from "../../../src/scenario/read.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { joinStage } from "../../../src/store/stageParts.ts";
import { jobStoryOf } from "../../../src/timeline/jobStory.ts";
import { linkStoryAt } from "../../../src/timeline/topologyMap/linkStory.ts";
import { contentionAt } from "../../../src/timeline/topologyMap/mapContention.ts";
import { placementOf, speedStory } from "../../../src/timeline/topologyMap/mapPlacement.ts";
import { mapRows } from "../../../src/timeline/topologyMap/mapRows.ts";
import { MapState } from "../../../src/timeline/topologyMap/mapState.ts";
import { stageOf } from "../../../src/worker/stage.ts";
import { expand } from "../../../src/workload/expand.ts";

const MINUTE = 60_000;
const plainly = (text: string) => text.replaceAll("\u00a0", " ");
const HOUR = 60 * MINUTE;

/** A document run to its end by the engine, and the map of it. */
function runOf(document: ScenarioInput) {
  const scenario = readScenario(document);
  if (!scenario.ok) throw new Error(JSON.stringify(scenario.error));
  const world = expand(scenario.value);
  if (!world.ok) throw new Error(JSON.stringify(world.error));
  const simulation = new Simulation(world.value, schedulerOf, { checks: true });
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  const record = {
    chunks: [simulation.takeChunk()],
    open: simulation.openSet(),
    knownMs: simulation.nowMs,
    done: true,
  };
  const stage = joinStage(stageOf(world.value, 0, []), null);
  const state = new MapState(stage);
  state.update(record);
  while (state.step(64));
  return { scenario: scenario.value, stage, state, record };
}

const job = (id: string, gpus: number, hours: number, more: object = {}) => ({
  id,
  gpus,
  submitMs: 0,
  workMs: hours * HOUR,
  ...more,
});

describe("a moment of a run on the map", () => {
  const cluster = { nodeGroups: [{ id: "n", count: 4, gpus: 4 }], fabric: { nodesPerLeaf: 2 } };

  test("the largest gang that fits is what is free on a node, under a leaf, and in whole nodes", () => {
    // First fit: a fills n0 and half of n1.
    const { state } = runOf({ version: 1, cluster, workload: { jobs: [job("a", 6, 1)] } });
    expect(state.read(MINUTE)).toBe(true);
    expect([...state.fits.unit]).toEqual([0, 2, 4, 4]);
    expect([...state.fits.block]).toEqual([2, 8]);
    expect([...state.fits.blockNode]).toEqual([2, 4]);
    expect([...state.fits.blockWhole]).toEqual([0, 2]);
  });

  test("a drained node has nothing free, and a later moment without events is no other map", () => {
    const { state } = runOf({
      version: 1,
      cluster,
      workload: { jobs: [job("a", 6, 1)] },
      interventions: [{ kind: "drain", atMs: 10 * MINUTE, nodes: ["n-003"] }],
    });
    state.read(11 * MINUTE);
    expect([...state.fits.unit]).toEqual([0, 2, 4, 0]);
    expect([...state.closedUnit]).toEqual([0, 0, 0, 1]);
    expect(state.read(12 * MINUTE)).toBe(false);
    expect(state.read(9 * MINUTE)).toBe(true);
    expect([...state.closedUnit]).toEqual([0, 0, 0, 0]);
    expect(state.read(2 * HOUR)).toBe(true);
    expect([...state.fits.unit]).toEqual([4, 4, 4, 0]);
  });

  test("links are as wide as the share of devices in gangs that cross them", () => {
    const { state } = runOf({ version: 1, cluster, workload: { jobs: [job("a", 10, 1)] } });
    state.read(MINUTE);
    // 10 of 16: n0, n1, half of n2; it crosses leaves.
    expect([...state.unitLink]).toEqual([1, 1, 0.5, 0]);
    expect([...state.blockLink]).toEqual([1, 0.25]);
  });

  test("MIG instances are parts of their device", () => {
    const { state } = runOf({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 2, gpuModel: "A100", gpuMemGiB: 80 }] },
      workload: {
        jobs: ["3g.40gb", "1g.10gb"].map((migProfile, i) => ({
          id: `m${i}`,
          submitMs: i,
          workMs: HOUR,
          components: [{ members: 1, migProfile }],
        })),
      },
    });
    state.read(MINUTE);
    const slices = [...state.slices.values()].flat().sort((a, b) => a.jobIdx - b.jobIdx);
    expect(slices.map(({ jobIdx, from, to }) => [jobIdx, to - from])).toEqual([
      [0, 500],
      [1, 125],
    ]);
  });

  test("shares of one device stand beside each other at each moment, also where their places over time do not", () => {
    const share = (id: string, milli: number, submitMs: number, minutes: number) => ({
      id,
      submitMs,
      workMs: minutes * MINUTE,
      components: [{ members: 1, gpuShareMilli: milli }],
    });
    const { state } = runOf({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 1 }] },
      workload: {
        // Below x lies y; when x is over, what is free is in two pieces, and v needs both.
        jobs: [share("x", 300, 0, 10), share("y", 200, 1, 60), share("v", 600, 11 * MINUTE, 100)],
      },
    });
    state.read(20 * MINUTE);
    const [slices] = [...state.slices.values()];
    expect(slices?.map(({ from, to }) => to - from).sort()).toEqual([200, 600]);
    expect(slices![1]!.from).toBe(slices![0]!.to);
    expect(slices![0]!.from).toBe(0);
  });

  test("the table has each leaf and node in the order of the map", () => {
    const { state } = runOf({ version: 1, cluster, workload: { jobs: [job("a", 6, 1)] } });
    state.read(MINUTE);
    expect(
      mapRows(state).map(({ kind, held, devices, fits, onOneNode, wholeNodes }) => [
        kind,
        held,
        devices,
        fits,
        onOneNode,
        wholeNodes,
      ]),
    ).toEqual([
      ["leaf", 6, 8, 2, 2, 0],
      ["node", 4, 4, 0, 0, 0],
      ["node", 2, 4, 2, 2, 0],
      ["leaf", 0, 8, 8, 4, 2],
      ["node", 0, 4, 4, 4, 1],
      ["node", 0, 4, 4, 4, 1],
    ]);
  });
});

describe("links that several gangs cross", () => {
  const run = runOf(labNetwork.document);
  const { stage, state, record, scenario } = run;
  state.read(30 * MINUTE);
  const { jobOfDevice } = state.holders;

  test("two gangs that could each fill an uplink ask for twice of what it carries", () => {
    // Each gang has two nodes under each leaf and one edge a card: 8 cards' rate up, of 4 × 8 cards ÷ 4.
    const { ofJob, ofLeaf } = contentionAt(stage, scenario.cluster.network!, jobOfDevice);
    expect([...ofLeaf]).toEqual([2, 2]);
    expect([...ofJob.values()]).toEqual([2, 2]);
  });

  test("the links of a leaf are told with the gangs on both of their sides and what each could use", () => {
    const { network } = scenario.cluster;
    const story = linkStoryAt(stage, network!, jobOfDevice, 0);
    expect(story.crossings).toHaveLength(2);
    for (const { here, elsewhere, rate } of story.crossings) {
      expect(here + elsewhere).toBe(32);
      expect(rate).toBeGreaterThan(0);
    }
    const asked = story.crossings.reduce((sum, { rate }) => sum + (rate ?? 0), 0);
    expect(asked / (story.capacity ?? 0)).toBeCloseTo(story.asked ?? 0, 6);
    expect(plainly(linkSentence(story))).toBe(
      "2 gangs cross its uplinks and could use 2.0 × what they carry: each is slowed down.",
    );
    const plain = linkStoryAt(stage, null, jobOfDevice, 0);
    expect(plain.crossings.map(({ jobIdx }) => jobIdx)).toEqual(
      story.crossings.map(({ jobIdx }) => jobIdx),
    );
    expect(linkLines(plain, Number.NaN, null)[0]?.[1]).toContain("not modelled");
  });

  test("a gang across two leaves would fit under one, and its recorded speeds say how much shorter it would be", () => {
    const jobIdx = jobOfDevice[2 * 8]!;
    expect(placementOf(stage.cluster, stage.jobs, jobOfDevice, jobIdx)).toEqual({
      devices: 32,
      now: { nodes: 4, domains: 4, leaves: 2 },
      fewest: { nodes: 4, domains: 4, leaves: 1 },
    });
    const story = jobStoryOf(record, jobIdx);
    const speed = speedStory(story, 30 * MINUTE, record.knownMs)!;
    expect(speed.speedNow).toBeLessThan(1);
    // It runs four hours as packed; what it takes longer is what would be saved.
    expect(speed.lastsMs - speed.savedMs).toBeCloseTo(4 * HOUR, -4);
  });

  test("a run without a model of communication sends no traffic to the page", () => {
    const plain = runOf({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 1 }] },
      workload: { jobs: [job("a", 1, 1)] },
    });
    expect(plain.stage.traffic).toBeUndefined();
    expect(stage.traffic?.kinds.length).toBeGreaterThan(0);
  });
});
