/** Which curves a run can be looked at by. */
import { GaugeCode } from "../../model/lab/gauges.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Chunk } from "../../record/shapes.ts";
import type { CurveId } from "./curveIds.ts";
import { hasPrice } from "./moneyCurves.ts";

export interface CurveChoice {
  readonly id: CurveId;
  readonly label: string;
  /** Where there is no room for the label. */
  readonly short: string;
}

/** With more teams than this, nobody finds one in a list. */
const MOST_TEAMS = 40;

/** What can be chosen for a run, in this order. O(teams + chunks). */
export function curveChoices(
  stage: Pick<Stage, "cluster" | "teams">,
  chunks: readonly Pick<Chunk, "gauges">[],
): readonly CurveChoice[] {
  const word = stage.cluster.deviceWord;
  const teams = stage.teams.flatMap(({ id, name }, team) => (id === "" ? [] : [{ name, team }]));
  const named = teams.length > 1 && teams.length <= MOST_TEAMS ? teams : [];
  const waited = word === "GPU" ? "GPUs waited for" : "waited for";
  const choices: CurveChoice[] = [
    { id: "held", label: `${word}s held, by tier`, short: `${word}s held` },
    { id: "use", label: `What ${word}s did`, short: "what they did" },
    { id: "demand", label: "Demand over capacity", short: "demand ÷ room" },
    { id: "waited", label: `${word}s waited for`, short: waited },
    { id: "waitedTiers", label: `${word}s waited for, by tier`, short: "waited, by tier" },
    { id: "waiting", label: "Jobs waiting, by tier", short: "jobs, by tier" },
    { id: "waits", label: "Wait: p50 and p95", short: "waits" },
    { id: "stops", label: "Preemptions", short: "preemptions" },
  ];
  if (named.length > 0)
    choices.push({ id: "teams", label: "Teams: held of due", short: "held of due" });
  for (const { name, team } of named)
    choices.push({ id: `team:${team}`, label: `${name}: held and due`, short: name });
  if (stage.cluster.nodeCount > 1)
    choices.push({
      id: "free",
      label: `Fragmentation: ${word}s free in pieces`,
      short: "free in pieces",
    });
  if (hasFragmentation(chunks))
    choices.push({
      id: "fragmentation",
      label: `Fragmentation: free ${word}s of no use`,
      short: "free, of no use",
    });
  if (hasPrice(stage.cluster))
    choices.push(
      { id: "cost", label: "Cost so far", short: "cost so far" },
      { id: "costPerHour", label: `Cost of a useful ${word}-hour`, short: "cost per hour" },
    );
  return choices;
}

/** The gauge is written from the start on, where it is written at all. */
function hasFragmentation(chunks: readonly Pick<Chunk, "gauges">[]): boolean {
  return chunks.some(({ gauges }) => gauges.kind.includes(GaugeCode.fragmentation));
}
