/** Checks of what the policy lab adds to a document: tiers, teams, ceilings, failures, windows, rented nodes. Services have a file of their own. */
import { SECOND_MS } from "../model/units.ts";
import { nodeNames } from "./nodeNames.ts";
import type { Report } from "./report.ts";
import { reportEach, reportUnknown } from "./report.ts";
import type { Scenario, WindowEntry } from "./schema.ts";
import { checkServices } from "./serviceChecks.ts";
import { expandHostlist } from "./slurm/hostlist.ts";
import { checkHosts } from "./slurmChecks.ts";

/** Every fault of the lab's lists. O(document). */
export function checkLab(scenario: Scenario, report: Report): void {
  checkTiers(scenario, report);
  checkTeams(scenario, report);
  checkRules(scenario, report);
  checkFailures(scenario, report);
  checkWindows(scenario, report);
  checkServices(scenario, report);
  checkGrounds(scenario, report);
}

const idsOf = (list: readonly { readonly id: string }[]) => list.map((entry) => entry.id);

function checkTiers({ tiers }: Scenario, report: Report): void {
  const ids = idsOf(tiers);
  const seen = new Set<string>();
  tiers.forEach((tier, index) => {
    const place = `/tiers/${index}`;
    reportEach("tier", tier.mayPreempt, ids, `${place}/mayPreempt`, report);
    for (const kind of new Set(tier.kinds)) {
      if (seen.has(kind)) {
        const message = `Jobs of kind "${kind}" belong to a tier before.`;
        report(`${place}/kinds`, message, "Name each kind in one tier.");
      }
      seen.add(kind);
    }
    if ((tier.guaranteedGpus ?? 0) > (tier.capGpus ?? Number.POSITIVE_INFINITY)) {
      report(
        `${place}/guaranteedGpus`,
        "More is guaranteed than the tier may use.",
        `Use at most ${tier.capGpus}.`,
      );
    }
  });
}

function checkTeams({ teams }: Scenario, report: Report): void {
  const ids = idsOf(teams);
  const parentOf = new Map(teams.map((team) => [team.id, team.parent]));
  teams.forEach((team, index) => {
    const place = `/teams/${index}`;
    reportUnknown("team", team.parent, ids, `${place}/parent`, report);
    const { lendGpus, quotaGpus } = team;
    if (lendGpus !== undefined && quotaGpus !== undefined && lendGpus > quotaGpus) {
      const message = "The team lends more than its quota.";
      report(`${place}/lendGpus`, message, `Use at most ${quotaGpus}.`);
    }
  });
  const ring = teams.findIndex((team) => aboveItself(team.id, parentOf));
  if (ring < 0) return;
  const message = `"${ids[ring]}" is above itself.`;
  report(`/teams/${ring}/parent`, message, "Let the teams be a tree.");
}

/** Whether a team is met again on the way up from it. */
function aboveItself(id: string, parentOf: ReadonlyMap<string, string | undefined>): boolean {
  const seen = new Set<string>();
  for (let above = parentOf.get(id); above !== undefined; above = parentOf.get(above)) {
    if (above === id) return true;
    if (seen.has(above)) return false;
    seen.add(above);
  }
  return false;
}

/** Ceilings and disruption budgets: of names that there are, and saying something. */
function checkRules(scenario: Scenario, report: Report): void {
  scenario.limits.forEach((rule, index) => {
    const place = `/limits/${index}`;
    checkWhose(scenario, rule, place, report);
    if (
      rule.gpus === undefined &&
      rule.gpuHours === undefined &&
      rule.members === undefined &&
      rule.jobs === undefined
    )
      report(place, "The limit limits nothing.", "Give gpus, gpuHours, jobs or members.");
    if (rule.periodMs !== undefined && rule.gpuHours === undefined)
      report(`${place}/periodMs`, "A period is one of GPU-hours.", "Give gpuHours too.");
  });
  scenario.disruptionBudgets.forEach((rule, index) => {
    checkWhose(scenario, rule, `/disruptionBudgets/${index}`, report);
  });
}

type Whose = { readonly per: "user" | "team" | "tier"; readonly name?: string | undefined };

/** Users are known only once all jobs are drawn, so their names are taken as they are. */
function checkWhose(scenario: Scenario, rule: Whose, place: string, report: Report): void {
  if (rule.per === "user") return;
  const ids = idsOf(rule.per === "team" ? scenario.teams : scenario.tiers);
  reportUnknown(rule.per, rule.name, ids, `${place}/name`, report);
  if (ids.length === 0 && rule.name === undefined)
    report(
      `${place}/per`,
      "The scenario declares no team.",
      "Give it teams, or limit by user or tier.",
    );
}

function checkFailures({ failures, cluster }: Scenario, report: Report): void {
  const groups = idsOf(cluster.nodeGroups);
  const hasFabric = cluster.fabric !== undefined || cluster.switches !== undefined;
  failures.forEach((rule, index) => {
    const place = `/failures/${index}`;
    reportEach("node group", rule.nodeGroups, groups, `${place}/nodeGroups`, report);
    const needsLeaves = rule.of === "leaf" || (rule.of === "node" && rule.correlated > 0);
    if (needsLeaves && !hasFabric) {
      report(
        `${place}/${rule.of === "leaf" ? "of" : "correlated"}`,
        "Nothing is known of leaves here.",
        "Give the cluster a fabric.",
      );
    }
  });
}

function checkWindows(scenario: Scenario, report: Report): void {
  if (scenario.windows.length === 0) return;
  const nodes = new Set(nodeNames(scenario.cluster));
  const seen = new Set<string>();
  scenario.windows.forEach((entry, index) => {
    const place = `/windows/${index}`;
    if (seen.has(entry.name))
      report(
        `${place}/name`,
        `"${entry.name}" is there twice.`,
        "Give each window a name of its own.",
      );
    seen.add(entry.name);
    reportUnknown("pool", entry.pool, idsOf(scenario.pools), `${place}/pool`, report);
    reportEach("tier", entry.tiers, idsOf(scenario.tiers), `${place}/tiers`, report);
    reportEach("team", entry.teams, idsOf(scenario.teams), `${place}/teams`, report);
    const queues = scenario.workload.trace === undefined ? entry.queues : [];
    reportEach("queue", queues, scenario.queues, `${place}/queues`, report);
    checkHosts(entry.nodes, nodes, `${place}/nodes`, report);
    checkWindowNodes(scenario, entry, place, report);
    checkWindowTimes(entry, place, report);
  });
}

function checkWindowNodes(
  scenario: Scenario,
  entry: WindowEntry,
  place: string,
  report: Report,
): void {
  const total = scenario.cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0);
  if (entry.nodes !== undefined) {
    const names = expandHostlist(entry.nodes);
    if (names.ok && names.value.length === 0)
      report(`${place}/nodes`, "The window has no node.", "Name some, or leave nodes out.");
    if (entry.nodeCount !== undefined)
      report(`${place}/nodeCount`, "The nodes are given twice.", "Give nodes or nodeCount.");
    return;
  }
  if (entry.nodeCount === undefined && entry.kind === "reserved")
    report(place, "The window has no node.", "Give nodes or nodeCount.");
  if ((entry.nodeCount ?? 0) > total) {
    const message = `The cluster has ${total} nodes.`;
    report(`${place}/nodeCount`, message, `Use at most ${total}.`);
  }
}

function checkWindowTimes(entry: WindowEntry, place: string, report: Report): void {
  if (entry.everyMs !== undefined && entry.everyMs < entry.durationMs)
    report(
      `${place}/everyMs`,
      "The window begins again before it ends.",
      "Make everyMs at least durationMs.",
    );
  if (entry.everyMs !== undefined && entry.everyMs < SECOND_MS)
    report(
      `${place}/everyMs`,
      "The window begins more often than once a second.",
      `Use at least ${SECOND_MS}.`,
    );
  if (entry.announcedMs !== undefined && entry.announcedMs > entry.startMs)
    report(
      `${place}/announcedMs`,
      "The window is announced after it begins.",
      `Use at most ${entry.startMs}.`,
    );
}

function checkGrounds({ cluster, pools, fleet }: Scenario, report: Report): void {
  cluster.nodeGroups.forEach((group, index) => {
    if (group.burst !== undefined && cluster.flat)
      report(
        `/cluster/nodeGroups/${index}/burst`,
        "A flat machine is one node.",
        "Leave burst out.",
      );
  });
  if (cluster.network !== undefined && cluster.flat)
    report("/cluster/network", "A flat machine has no network.", "Leave network out.");
  if (fleet === undefined) return;
  reportUnknown("pool", fleet.serving, idsOf(pools), "/fleet/serving", report);
  reportUnknown("pool", fleet.batch, idsOf(pools), "/fleet/batch", report);
  if (fleet.everyMs < SECOND_MS)
    report(
      "/fleet/everyMs",
      "The controller looks more often than once a second.",
      `Use at least ${SECOND_MS}.`,
    );
  if (fleet.serving === fleet.batch)
    report("/fleet/batch", "Nodes move between two pools.", "Name another pool than in serving.");
}
