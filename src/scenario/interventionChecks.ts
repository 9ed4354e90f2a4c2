/** Checks of interventions: inside the run, on things that exist. */
import type { Problem } from "../base/problem.ts";
import { type JobIds, jobIds } from "./jobChecks.ts";
import { YAML_PRESETS } from "./kubernetes/familyPresets.ts";
import { nodeNames } from "./nodeNames.ts";
import type { Report } from "./report.ts";
import { reportForeignFiles, reportUnknown } from "./report.ts";
import type { Intervention, Scenario } from "./schema.ts";
import { resolveSettings } from "./settings.ts";
import { checkReservation, checkTop } from "./slurmChecks.ts";

interface Known {
  readonly nodes: ReadonlySet<string>;
  readonly pools: readonly string[];
  readonly tiers: readonly string[];
  /** Null where jobs come from a trace or are drawn: `expand` knows them then. */
  readonly jobs: JobIds | null;
}

/**
 * Reports interventions that name nodes, pools, tiers or jobs that there are not, lie beyond the horizon, or whose policy has a wrong setting.
 * Jobs of traces and synthetic workloads are known only to `workload/expand.ts`, which checks those. O(document).
 */
export function checkInterventions(scenario: Scenario, report: Report, problems: Problem[]): void {
  if (scenario.interventions.length === 0) return;
  const { trace, synthetic } = scenario.workload;
  const known: Known = {
    nodes: new Set(nodeNames(scenario.cluster)),
    pools: scenario.pools.map((pool) => pool.id),
    tiers: scenario.tiers.map((tier) => tier.id),
    jobs: trace === undefined && synthetic.length === 0 ? jobIds(scenario) : null,
  };
  scenario.interventions.forEach((entry, index) => {
    // What is not done may be about what is not there.
    if (entry.off) return;
    const place = `/interventions/${index}`;
    if (scenario.horizonMs !== undefined && entry.atMs > scenario.horizonMs) {
      report(
        `${place}/atMs`,
        "The intervention lies behind the end of the run.",
        `Use at most ${scenario.horizonMs}, or a longer horizon.`,
      );
    }
    if (entry.kind === "top") checkTop(scenario, entry.atMs, index, report);
    if (entry.kind === "reserve") checkReservation(entry, known.nodes, place, report);
    checkOne(entry, known, place, report, problems);
  });
}

function checkOne(
  entry: Intervention,
  known: Known,
  place: string,
  report: Report,
  problems: Problem[],
): void {
  switch (entry.kind) {
    case "policy": {
      reportUnknown("pool", entry.pool, known.pools, `${place}/pool`, report);
      const resolved = resolveSettings(
        entry.policy.preset,
        entry.policy.settings,
        `${place}/policy`,
      );
      if (!resolved.ok) problems.push(...resolved.error);
      reportForeignFiles(entry.policy, YAML_PRESETS, `${place}/policy`, report);
      return;
    }
    case "reserve":
    case "unreserve":
      reportUnknown("pool", entry.pool, known.pools, `${place}/pool`, report);
      return;
    case "inject":
      if (entry.job.submitMs !== undefined && entry.job.submitMs < entry.atMs) {
        report(
          `${place}/job/submitMs`,
          "The job is submitted before it is injected.",
          "Leave submitMs out, or make it at least atMs.",
        );
      }
      return;
    case "retier":
      reportUnknown("tier", entry.tier, known.tiers, `${place}/tier`, report);
      reportUnknownJob(entry.job, known, place, report);
      return;
    case "cancel":
    case "hold":
    case "release":
    case "requeue":
    case "suspend":
    case "unsuspend":
    case "update":
    case "top":
      reportUnknownJob(entry.job, known, place, report);
      return;
    case "label":
      if (Object.keys(entry.labels).length + (entry.remove?.length ?? 0) === 0)
        report(`${place}/labels`, "It changes no label.", "Name one to set, or one to remove.");
      reportNodes(entry.nodes, known, place, report);
      return;
    case "drain":
    case "resume":
    case "fail":
      reportNodes(entry.nodes, known, place, report);
  }
}

function reportNodes(nodes: readonly string[], known: Known, place: string, report: Report): void {
  nodes.forEach((node, index) => {
    if (known.nodes.has(node)) return;
    const [first] = known.nodes;
    report(
      `${place}/nodes/${index}`,
      `There is no node "${node}".`,
      `Nodes are named by their group and number, such as "${first}".`,
    );
  });
}

function reportUnknownJob(id: string, known: Known, place: string, report: Report): void {
  if (known.jobs === null || known.jobs.has(id)) return;
  report(`${place}/job`, `There is no job "${id}".`, "Use the id of a job of this scenario.");
}
