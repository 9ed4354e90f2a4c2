/** An edit that names a queue which nothing named before, under schedulers that number queues as they begin. */
import { expect, test } from "vitest";
import { Simulation } from "../../src/engine/simulation.ts";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { schedulerOf } from "../../src/schedulers/registry.ts";
import { documentWorld } from "../support/documentWorld.ts";

const ALL = { untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY };
const AT_MS = 61 * 60_000;

test.each(["kai-reclaim", "kueue-bin-packing", "volcano-starved"])(
  "%s: a job without a queue added to a run is the run of a document that had it from the start",
  (id) => {
    const document = libraryScenario(id);
    if (!document) throw new Error(`${id} is not in the library`);
    const job = { id: "new", gpus: 8, workMs: 600_000, limitMs: 1_200_000 };
    const inject = { kind: "inject", atMs: AT_MS, job };
    const edited = documentWorld({
      ...document,
      interventions: [...document.interventions, inject],
    });
    const simulation = new Simulation(documentWorld(document), schedulerOf);
    simulation.advance(ALL);
    simulation.takeChunk();
    const { keepChunks } = simulation.rewind(edited, AT_MS);
    simulation.advance(ALL);
    const afresh = new Simulation(edited, schedulerOf);
    afresh.advance(ALL);
    expect(simulation.digest()).toBe(afresh.digest());
    expect(keepChunks).toBe(0);
  },
);
