/**
 * What can be looked at in the lane of gauges: a view is up to four lines that share a scale. Only gauges that occur in the run are offered, those of
 * services first. Names and units are those of the document.
 */
import { clockText, durationText } from "../../base/format.ts";
import { type Gauge, GaugeCode } from "../../model/lab/gauges.ts";
import type { Stage } from "../../protocol/messages.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { GaugeSeries, GaugeSteps } from "../../timeline/gaugeSeries.ts";
import { quotaGaps, serviceOf, subjectName } from "../../timeline/gaugeWords.ts";

export interface GaugeLine {
  readonly gauge: Gauge;
  readonly subject: number;
  readonly label: string;
}

export interface GaugeView {
  readonly key: string;
  readonly label: string;
  readonly lines: readonly GaugeLine[];
  /** What it leaves out. */
  readonly note?: string;
  /** A line across: what the value should not exceed. */
  readonly target?: { readonly value: number; readonly label: string };
}

const LINES_MOST = 4;

/**
 * The views of a run, in the order in which they are offered: queues that a policy has taken away come behind those that stand, with the time until which they were there.
 * O(gauges).
 */
export function gaugeViews(
  series: GaugeSeries,
  stage: Stage,
  scenario: Scenario | null,
): GaugeView[] {
  const one = (gauge: Gauge, subject: number, label: string): GaugeLine[] =>
    series.get(GaugeCode[gauge], subject) ? [{ gauge, subject, label }] : [];
  const each = (gauge: Gauge) => series.subjects(GaugeCode[gauge]);
  const name = (gauge: Gauge, subject: number) => subjectName(gauge, subject, stage, scenario);
  const word = stage.cluster.deviceWord;
  const views: GaugeView[] = [];
  for (const service of each("demand")) {
    const id = serviceOf(scenario, service)?.id ?? String(service + 1);
    const targetMs = serviceOf(scenario, service)?.target.latencyMs;
    views.push(
      {
        key: `latency ${service}`,
        label: `${id}: latency`,
        lines: one("latency", service, "latency"),
        ...(targetMs === undefined
          ? {}
          : { target: { value: targetMs, label: `target ${durationText(targetMs)}` } }),
      },
      {
        key: `replicas ${service}`,
        label: `${id}: replicas`,
        lines: [
          ...one("replicasServing", service, "serving"),
          ...one("replicasWanted", service, "wanted"),
        ],
      },
      { key: `demand ${service}`, label: `${id}: demand`, lines: one("demand", service, "demand") },
    );
  }
  for (const team of each("borrowed")) {
    views.push({
      key: `shares ${team}`,
      label: `${stage.teams[team]?.name ?? team + 1}: borrowed, lent`,
      lines: [...one("borrowed", team, `${word}s borrowed`), ...one("lent", team, `${word}s lent`)],
    });
  }
  const untilMs = (cell: number) => endMs(series.get(GaugeCode.quotaNominal, cell));
  const cells = [...each("quotaUsed")];
  for (const cell of [
    ...cells.filter((one) => untilMs(one) === null),
    ...cells.filter((one) => untilMs(one) !== null),
  ]) {
    // Volcano and KAI speak of what a queue deserves, and nothing is lent.
    const own = stage.quotaCells?.[cell]?.flavor === "";
    views.push({
      key: `quota ${cell}`,
      label: `${name("quotaUsed", cell)}: quota${goneWords(untilMs(cell), scenario)}`,
      lines: [
        ...one("quotaUsed", cell, "used"),
        ...one("quotaNominal", cell, own ? "due" : "own"),
        ...one("quotaBorrowed", cell, own ? "over" : "borrowed"),
        ...one("quotaLent", cell, "lent"),
      ],
      ...(own ? { note: quotaGaps(stage) } : {}),
    });
  }
  const grouped = (gauge: Gauge, label: string) => {
    const subjects = each(gauge);
    for (let from = 0; from < subjects.length; from += LINES_MOST) {
      const some = subjects.slice(from, from + LINES_MOST);
      const part = subjects.length > LINES_MOST ? `, ${from + 1} to ${from + some.length}` : "";
      views.push({
        key: `${gauge} ${from}`,
        label: `${label}${part}`,
        lines: some.flatMap((subject) => one(gauge, subject, name(gauge, subject) || label)),
      });
    }
  };
  grouped("poolNodes", "Nodes of the pools");
  grouped("price", "Price of the auction");
  grouped("credits", "Credits");
  grouped("uplink", "Load of the uplinks");
  grouped("fragmentation", "Fragmentation");
  grouped("writers", "Checkpoints being written");
  for (const pool of each("promisesKept")) {
    const whose = name("promisesKept", pool);
    views.push({
      key: `promises ${pool}`,
      label: whose === "" ? "Promised starts" : `Promised starts, ${whose}`,
      lines: [...one("promisesKept", pool, "kept"), ...one("promisesBroken", pool, "broken")],
    });
  }
  return views.filter((view) => view.lines.length > 0);
}

/** When a gauge has ended for good, ms; null where it has not. Quotas end with the policy that had them. */
function endMs(steps: GaugeSteps | undefined): number | null {
  const last = (steps?.values.length ?? 0) - 1;
  return steps && last >= 0 && Number.isNaN(steps.values[last]) ? steps.atMs[last]! : null;
}

function goneWords(untilMs: number | null, scenario: Scenario | null): string {
  return untilMs === null ? "" : `, until ${clockText(untilMs, scenario?.calendarStart)}`;
}
