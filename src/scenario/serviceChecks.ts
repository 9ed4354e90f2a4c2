/** Checks of inference services: names, replicas, demand that ends somewhere. */
import { LIMITS } from "../model/limits.ts";
import { jobIds } from "./jobChecks.ts";
import type { Report } from "./report.ts";
import { reportUnknown } from "./report.ts";
import type { Scenario, ServiceEntry } from "./schema.ts";

/** O(services + jobs). */
export function checkServices(scenario: Scenario, report: Report): void {
  const { services } = scenario;
  if (services.length === 0) return;
  if (scenario.horizonMs === undefined)
    report(
      "/services",
      "Services never end, so the run would not.",
      "Give the scenario a horizonMs.",
    );
  const replicas = services.reduce((sum, entry) => sum + entry.maxReplicas, 0);
  if (replicas > LIMITS.jobs)
    report("/services", `The services have ${replicas} replicas.`, `Use at most ${LIMITS.jobs}.`);
  const ofJobs = jobIds(scenario);
  const taken = new Set<string>();
  services.forEach((entry, index) => {
    const place = `/services/${index}`;
    if (ofJobs.has(entry.id) || taken.has(entry.id))
      report(
        `${place}/id`,
        `A job or service is called "${entry.id}" too.`,
        "Give it an id of its own.",
      );
    taken.add(entry.id);
    const ids = (list: readonly { readonly id: string }[]) => list.map((other) => other.id);
    reportUnknown("tier", entry.tier, ids(scenario.tiers), `${place}/tier`, report);
    reportUnknown("team", entry.team, ids(scenario.teams), `${place}/team`, report);
    reportUnknown("queue", entry.queue, scenario.queues, `${place}/queue`, report);
    checkReplicas(scenario, entry, place, report);
    checkDemand(scenario, entry.demand, `${place}/demand`, report);
  });
}

function checkReplicas(
  { cluster }: Scenario,
  entry: ServiceEntry,
  place: string,
  report: Report,
): void {
  if (entry.minReplicas > entry.maxReplicas) {
    const message = "More replicas are needed than there may be.";
    report(`${place}/minReplicas`, message, `Use at most ${entry.maxReplicas}.`);
  }
  const largest = cluster.nodeGroups.reduce((most, group) => Math.max(most, group.gpus), 0);
  if (entry.gpusPerReplica > largest) {
    report(
      `${place}/gpusPerReplica`,
      "A replica is larger than any node.",
      `Use at most ${largest}.`,
    );
  }
}

function checkDemand(
  { horizonMs = 0 }: Scenario,
  demand: ServiceEntry["demand"],
  place: string,
  report: Report,
): void {
  if (demand.shape === "square" && demand.highPerSec === undefined)
    report(`${place}/highPerSec`, "A square wave has a high rate.", "Give highPerSec.");
  if (demand.shape === "points" && demand.points.length === 0)
    report(`${place}/points`, "There is no point.", "Give points, or another shape.");
  const lengthMs = demand.shape === "square" ? demand.periodMs / 2 : demand.stepMs;
  const waves = demand.shape === "square" || demand.shape === "diurnal";
  if (waves && horizonMs / lengthMs > LIMITS.demandSteps) {
    report(
      `${place}/${demand.shape === "square" ? "periodMs" : "stepMs"}`,
      `Demand would have more than ${LIMITS.demandSteps} steps.`,
      "Use longer steps or a shorter horizon.",
    );
  }
}
