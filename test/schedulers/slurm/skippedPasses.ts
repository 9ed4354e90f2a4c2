/** Runs of one document as users run it and with every pass computed: both must end alike. */
import { Simulation } from "../../../src/engine/simulation.ts";
import type { Scheduler } from "../../../src/engine/view.ts";
import { schedulerOf } from "../../../src/schedulers/registry.ts";
import { slurmWith } from "../../../src/schedulers/slurm/slurm.ts";
import { documentWorld } from "../../support/documentWorld.ts";

const everyPass = slurmWith({ everyPass: true }) as Scheduler<unknown>;

/** Digest of a run in which passes that cannot differ are skipped, and of one in which none is. */
export function digestsOf(document: object): { skipping: string; complete: string } {
  return {
    skipping: digestOf(document, schedulerOf),
    complete: digestOf(document, () => everyPass),
  };
}

function digestOf(document: object, scheduler: (name: string) => Scheduler<unknown>): string {
  const world = documentWorld(document);
  const simulation = new Simulation(world, scheduler);
  simulation.advance({ untilMs: Number.POSITIVE_INFINITY, maxEvents: Number.POSITIVE_INFINITY });
  return simulation.digest();
}
