/** What the link of this moment holds and what it leaves out, in sentences, so that nobody is surprised by what a reader sees. */
import { clockText, countText, durationText } from "../../base/format.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { View } from "../../store/viewCode.ts";
import { sizeText } from "../dialogs/sizeText.ts";

export interface LinkFacts {
  readonly holds: readonly string[];
  readonly leavesOut: readonly string[];
}

export interface FactsOf {
  readonly scenario: Scenario;
  /** The library scenario it started from. */
  readonly base: { readonly title: string; readonly asItIs: boolean } | null;
  readonly view: View;
  /** First digits of the run's digest; null while it is not complete. */
  readonly digest: string | null;
  readonly layout: boolean;
  /** Futures kept to compare, and whether the link has room for them. */
  readonly kept: { readonly count: number; readonly fits: boolean };
}

export function linkFacts({ scenario, base, view, digest, layout, kept }: FactsOf): LinkFacts {
  const { calendarStart, interventions, workload } = scenario;
  const holds = [
    base === null
      ? `The scenario, whole: ${sizeOf(scenario)}`
      : `“${base.title}” of the library by its name${base.asItIs ? "" : ", and what you changed in it"}`,
    ...(interventions.length === 0
      ? []
      : [`${countText(interventions.length, "change")} to the run, each at its time`]),
    `The moment ${clockText(view.cursorMs, calendarStart)} and the ${durationText(view.window.toMs - view.window.fromMs)} on screen`,
  ];
  if (view.panels) holds.push("The table that is open and levels of detail chosen by hand");
  if (view.selection) holds.push(`The ${SELECTED[view.selection.kind]} that is selected`);
  if (digest !== null)
    holds.push(`Digest ${digest} and the engine: a reader whose run differs is told so`);
  if (kept.count > 0 && kept.fits)
    holds.push(`${countText(kept.count, "future")} kept to compare, as what differs in them`);
  if (layout) holds.push("Your layout: sizes of the strips and the column, and the curves drawn");
  const leavesOut: string[] = [];
  if (workload.trace)
    leavesOut.push(
      `The log ${workload.trace.name} (${sizeText(workload.trace.bytes)}): readers are asked for the file with SHA-256 ${workload.trace.sha256.slice(0, 12)}…`,
    );
  if (kept.count > 0 && !kept.fits)
    leavesOut.push(
      `${countText(kept.count, "future")} kept to compare: with them the link would be too long. Save them as files`,
    );
  leavesOut.push(`Theme, ${layout ? "" : "sizes, curves "}and what else is kept on your device`);
  return { holds, leavesOut };
}

const SELECTED = {
  job: "job",
  node: "node",
  gpu: "device",
  team: "team",
  leaf: "leaf switch",
  decision: "decision",
} as const;

function sizeOf({ cluster, workload }: Scenario): string {
  const nodes = cluster.nodeGroups.reduce((sum, { count }) => sum + count, 0);
  const parts = [countText(nodes, "node")];
  if (workload.jobs.length > 0) parts.push(countText(workload.jobs.length, "job"));
  if (workload.synthetic.length > 0) parts.push("drawn jobs");
  return parts.join(", ");
}
