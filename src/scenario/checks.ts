/**
 * What a schema cannot say: names that must exist, ids that must differ, sums that must stay below the limits. Each check
 * looks at one part of the document and reports every fault it finds, with its place.
 */
import { readCivil } from "../base/civilDate.ts";
import type { Problem } from "../base/problem.ts";
import { LIMITS } from "../model/limits.ts";
import { HOUR_MS } from "../model/units.ts";
import { checkInterventions } from "./interventionChecks.ts";
import { checkJobs } from "./jobChecks.ts";
import { YAML_PRESETS } from "./kubernetes/familyPresets.ts";
import { checkLab } from "./labChecks.ts";
import { checkClassLife } from "./lifeChecks.ts";
import { nodeNames } from "./nodeNames.ts";
import type { Report } from "./report.ts";
import { reportEach, reportForeignFiles, reportUnknown } from "./report.ts";
import type { Scenario, SyntheticClass } from "./schema.ts";
import { resolveSettings } from "./settings.ts";
import { expandHostlist } from "./slurm/hostlist.ts";
import { checkHosts } from "./slurmChecks.ts";

/** Every fault of a document that passed the schema. O(document). */
export function checkScenario(scenario: Scenario): Problem[] {
  const problems: Problem[] = [];
  const report: Report = (place, message, remedy) => problems.push({ place, message, remedy });
  checkLists(scenario, report);
  checkCluster(scenario, report);
  checkPools(scenario, report, problems);
  checkCalendar(scenario, report);
  scenario.workload.synthetic.forEach((entry, index) => {
    checkSynthetic(scenario, entry, `/workload/synthetic/${index}`, report);
  });
  checkTrace(scenario, report);
  checkJobs(scenario, report);
  checkLab(scenario, report);
  checkInterventions(scenario, report, problems);
  return problems;
}

function checkLists(scenario: Scenario, report: Report): void {
  const ids = (list: readonly { readonly id: string }[]) => list.map((entry) => entry.id);
  reportTwins(ids(scenario.cluster.nodeGroups), "/cluster/nodeGroups", report);
  reportTwins(ids(scenario.tiers), "/tiers", report);
  reportTwins(ids(scenario.teams), "/teams", report);
  reportTwins(scenario.queues, "/queues", report);
  reportTwins(ids(scenario.pools), "/pools", report);
  reportTwins(ids(scenario.workload.synthetic), "/workload/synthetic", report);
}

/** Reports each name that an earlier entry of the list has. */
function reportTwins(names: readonly string[], place: string, report: Report): void {
  const seen = new Set<string>();
  names.forEach((name, index) => {
    if (seen.has(name))
      report(
        `${place}/${index}`,
        `"${name}" is there twice.`,
        "Give each entry a name of its own.",
      );
    seen.add(name);
  });
}

/** Names that groups give their nodes: as many as there are nodes, each once. */
function checkNames(cluster: Scenario["cluster"], report: Report): void {
  const seen = new Set<string>();
  cluster.nodeGroups.forEach((group, index) => {
    if (group.names === undefined) return;
    const place = `/cluster/nodeGroups/${index}/names`;
    const names = expandHostlist(group.names);
    if (!names.ok) {
      report(place, names.error, "Write names and ranges, such as dgx[001-004],login1.");
      return;
    }
    if (names.value.length !== group.count) {
      const message = `The group has ${group.count} nodes and ${names.value.length} names.`;
      report(place, message, "Give each node one name.");
    }
    const twin = names.value.find((name) => seen.size === seen.add(name).size);
    if (twin !== undefined)
      report(place, `Two nodes are called "${twin}".`, "Give each node a name of its own.");
  });
}

/** A tree of switches: names of their own, nodes that there are, each under one switch, no ring. */
function checkSwitches(cluster: Scenario["cluster"], report: Report): void {
  const switches = cluster.switches ?? [];
  const place = "/cluster/switches";
  if (cluster.fabric !== undefined)
    report(place, "The fabric is given twice.", "Leave out fabric or switches.");
  reportTwins(
    switches.map((entry) => entry.name),
    place,
    report,
  );
  const nodes = new Set(nodeNames(cluster));
  const names = new Set(switches.map((entry) => entry.name));
  const above = new Set<string>();
  switches.forEach((entry, index) => {
    checkHosts(entry.nodes, nodes, `${place}/${index}/nodes`, report);
    for (const child of entry.switches ?? []) {
      const at = `${place}/${index}/switches`;
      if (!names.has(child))
        report(at, `There is no switch "${child}".`, "Use names of switches of this list.");
      if (above.has(child))
        report(at, `"${child}" hangs on two switches.`, "Let each switch hang on one.");
      above.add(child);
    }
  });
  const byName = new Map(switches.map((entry) => [entry.name, entry]));
  const reached = new Set<string>();
  const stack = [...names].filter((name) => !above.has(name));
  for (let name = stack.pop(); name !== undefined; name = stack.pop()) {
    reached.add(name);
    for (const child of byName.get(name)?.switches ?? [])
      if (names.has(child) && !reached.has(child)) stack.push(child);
  }
  if (reached.size < names.size)
    report(place, "Some switches form a ring.", "Let the switches be a tree.");
}

function checkCluster(scenario: Scenario, report: Report): void {
  const { nodeGroups, flat } = scenario.cluster;
  const nodes = nodeGroups.reduce((sum, group) => sum + group.count, 0);
  const devices = nodeGroups.reduce((sum, group) => sum + group.count * group.gpus, 0);
  if (nodes > LIMITS.nodes) {
    report(
      "/cluster/nodeGroups",
      `The cluster has ${nodes} nodes.`,
      `Use at most ${LIMITS.nodes}.`,
    );
  }
  if (devices > LIMITS.devices) {
    report(
      "/cluster/nodeGroups",
      `The cluster has ${devices} GPUs.`,
      `Use at most ${LIMITS.devices}.`,
    );
  }
  if (devices === 0) {
    report(
      "/cluster/nodeGroups",
      "The cluster has no GPU.",
      "Give at least one node group some GPUs.",
    );
  }
  checkNames(scenario.cluster, report);
  if (scenario.cluster.switches !== undefined) checkSwitches(scenario.cluster, report);
  if (flat && nodes !== 1) {
    report(
      "/cluster/flat",
      "A flat machine is one node.",
      "Use one node group with count 1, its processors as gpus.",
    );
  }
}

function checkPools(scenario: Scenario, report: Report, problems: Problem[]): void {
  const known = {
    groups: scenario.cluster.nodeGroups.map((group) => group.id),
    tiers: scenario.tiers.map((tier) => tier.id),
    teams: scenario.teams.map((team) => team.id),
  };
  // A trace brings queues of its own.
  const queuesKnown = scenario.workload.trace === undefined;
  scenario.pools.forEach((pool, index) => {
    const place = `/pools/${index}`;
    const route = `${place}/route`;
    reportEach("node group", pool.nodeGroups, known.groups, `${place}/nodeGroups`, report);
    reportEach("tier", pool.route.tiers, known.tiers, `${route}/tiers`, report);
    reportEach("team", pool.route.teams, known.teams, `${route}/teams`, report);
    const queues = queuesKnown ? pool.route.queues : [];
    reportEach("queue", queues, scenario.queues, `${route}/queues`, report);
    const resolved = resolveSettings(pool.policy.preset, pool.policy.settings, `${place}/policy`);
    if (!resolved.ok) problems.push(...resolved.error);
    reportForeignFiles(pool.policy, YAML_PRESETS, `${place}/policy`, report);
  });
}

function checkCalendar(scenario: Scenario, report: Report): void {
  const { calendarStart } = scenario;
  if (calendarStart === undefined || readCivil(calendarStart) !== null) return;
  report(
    "/calendarStart",
    `"${calendarStart}" is no date.`,
    "Write YYYY-MM-DDTHH:MM:SS, such as 2026-03-02T08:00:00.",
  );
}

function checkSynthetic(
  scenario: Scenario,
  entry: SyntheticClass,
  place: string,
  report: Report,
): void {
  reportUnknown(
    "tier",
    entry.tier,
    scenario.tiers.map((tier) => tier.id),
    `${place}/tier`,
    report,
  );
  entry.teams?.forEach((team, index) => {
    reportUnknown(
      "team",
      team.value,
      scenario.teams.map((known) => known.id),
      `${place}/teams/${index}/value`,
      report,
    );
  });
  checkClassLife(scenario, entry, place, report);
  const untilMs = entry.untilMs ?? scenario.horizonMs;
  if (untilMs === undefined) {
    report(
      `${place}/untilMs`,
      "These jobs would arrive for ever.",
      "Give the class an untilMs, or the scenario a horizonMs.",
    );
    return;
  }
  if (untilMs <= entry.fromMs) {
    report(
      `${place}/untilMs`,
      "The class stops before it starts.",
      "Make untilMs larger than fromMs.",
    );
  }
  const jobs = (entry.arrivals.perHour * (untilMs - entry.fromMs)) / HOUR_MS;
  if (jobs > LIMITS.jobs) {
    report(
      `${place}/arrivals/perHour`,
      `About ${Math.round(jobs)} jobs would be drawn.`,
      `Draw at most ${LIMITS.jobs}: lower the rate or the time.`,
    );
  }
  if (entry.work.leastMs > entry.work.mostMs) {
    report(`${place}/work`, "leastMs is above mostMs.", "Make leastMs at most mostMs.");
  }
  if (entry.limitFactor[0] > entry.limitFactor[1]) {
    report(
      `${place}/limitFactor`,
      "The first factor is above the second.",
      "Write the smaller factor first.",
    );
  }
}

function checkTrace(scenario: Scenario, report: Report): void {
  const { trace } = scenario.workload;
  if (trace?.untilMs === undefined || trace.untilMs > (trace.fromMs ?? 0)) return;
  report(
    "/workload/trace/untilMs",
    "The chosen part of the trace is empty.",
    "Make untilMs larger than fromMs.",
  );
}
