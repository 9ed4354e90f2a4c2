/**
 * The columns of `squeue`, `sprio -l`, `sshare -l` and `scontrol show reservation`, named and written as the commands do (22.05; squeue(1),
 * sprio(1), sshare(1), scontrol(1)). Times stand in the scenario's calendar.
 */
import { nameOf } from "../../../model/jobs.ts";
import type {
  ReservationRow,
  SprioRow,
  SqueueRow,
  SshareRow,
} from "../../../model/slurm/tables.ts";
import { slurmClock, slurmSpan } from "../../../model/slurm/words.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { Intervention } from "../../../scenario/schema.ts";
import { compressHostlist } from "../../../scenario/slurm/hostlist.ts";
import { readClock } from "../../../store/clockEntry.ts";
import { useApp } from "../../../store/store.ts";
import type { GridColumn } from "../../../ui/grid/column.ts";

const whole = (value: number): string => value.toFixed(0);
const share = (value: number): string => {
  if (Number.isNaN(value)) return "";
  return Number.isFinite(value) ? value.toFixed(6) : "inf";
};

/** As scontrol writes a duration: hours in two digits at least. */
const paddedSpan = (ms: number): string => {
  const span = slurmSpan(ms);
  return ms >= 86_400_000 ? span : span.padStart(8, "00:00:00");
};

const userOf = (stage: Stage, jobIdx: number): string =>
  stage.jobs.users[stage.jobs.at.user[jobIdx]!] ?? "";

/** Node indexes as a host list. */
export function hostList(stage: Stage, nodes: readonly number[]): string {
  return compressHostlist(nodes.map((node) => stage.cluster.nodeNames[node] ?? ""));
}

export function squeueColumns(
  stage: Stage,
  calendar: string | undefined,
): readonly GridColumn<SqueueRow>[] {
  const { jobs } = stage;
  const gpus = stage.cluster.deviceWord === "GPU";
  const clock = clockReader(calendar);
  return [
    {
      id: "jobid",
      label: "JOBID",
      width: "minmax(92px, 0.9fr)",
      look: "strong",
      value: (row) => row.jobIdx,
      text: (row) => nameOf(jobs.ids, row.jobIdx),
    },
    group(text("partition", "PARTITION", "72px", (row) => row.partition)),
    text("name", "NAME", "minmax(72px, 1fr)", (row) => nameOf(jobs.names, row.jobIdx)),
    group(text("user", "USER", "60px", (row) => userOf(stage, row.jobIdx))),
    { id: "st", label: "ST", width: "20px", text: () => "PD" },
    number("priority", "PRIORITY", "80px", (row) => row.priority),
    summed(number("nodes", "NODES", "42px", (row) => row.nodes)),
    summed(number("gpus", gpus ? "GPUS" : "CPUS", "38px", (row) => jobs.at.gpuTotal[row.jobIdx]!)),
    group(text("reason", "NODELIST(REASON)", "minmax(112px, 1.3fr)", (row) => `(${row.reason})`)),
    {
      id: "start",
      label: "START_TIME",
      width: calendar === undefined ? "104px" : "140px",
      kind: "time",
      read: clock,
      value: (row) => row.plannedStartMs,
      text: (row) => slurmClock(row.plannedStartMs, calendar),
    },
    text("schednodes", "SCHEDNODES", "minmax(84px, 0.6fr)", (row) =>
      row.plannedNodes.length === 0 ? "(null)" : hostList(stage, row.plannedNodes),
    ),
    {
      ...number<SqueueRow>("limit", "TIME_LIMIT", "72px", (row) => row.limitMs),
      kind: "duration",
      text: (row) => slurmSpan(row.limitMs),
    },
    group(text("account", "ACCOUNT", "64px", (row) => row.account)),
    group(text("qos", "QOS", "60px", (row) => row.qos)),
    number("restarts", "RESTARTS", "60px", (row) => row.restarts),
  ];
}

export function sprioColumns(stage: Stage): readonly GridColumn<SprioRow>[] {
  return [
    {
      id: "jobid",
      label: "JOBID",
      width: "minmax(64px, 1fr)",
      look: "strong",
      value: (row) => row.jobIdx,
      text: (row) => nameOf(stage.jobs.ids, row.jobIdx),
    },
    group(text("partition", "PARTITION", "minmax(72px, 1fr)", (row) => row.partition)),
    group(text("user", "USER", "minmax(56px, 1fr)", (row) => userOf(stage, row.jobIdx))),
    number("priority", "PRIORITY", "80px", (row) => row.priority),
    number("site", "SITE", "32px", () => 0),
    number("age", "AGE", "60px", (row) => row.age),
    number("assoc", "ASSOC", "48px", (row) => row.assoc),
    number("fairshare", "FAIRSHARE", "72px", (row) => row.fairshare),
    number("jobsize", "JOBSIZE", "60px", (row) => row.jobSize),
    number("partitionPoints", "PARTITION", "72px", (row) => row.partitionFactor),
    number("qos", "QOS", "60px", (row) => row.qos),
    number("nice", "NICE", "48px", (row) => row.nice),
    text("tres", "TRES", "minmax(120px, 1.5fr)", (row) =>
      Object.entries(row.tres)
        .map(([name, points]) => `${name}=${whole(points)}`)
        .join(","),
    ),
  ];
}

/** `sshare` indents by one blank a level; the tree keeps its order. */
export function sshareColumns(): readonly GridColumn<SshareRow>[] {
  return [
    {
      id: "account",
      label: "Account",
      width: "minmax(120px, 1.4fr)",
      look: "tree",
      text: (row) => "\u00a0\u00a0".repeat(row.depth) + row.account,
    },
    {
      id: "user",
      label: "User",
      width: "minmax(72px, 1fr)",
      text: (row) => row.user,
    },
    {
      id: "rawshares",
      label: "RawShares",
      width: "76px",
      right: true,
      text: (row) => (row.depth === 0 ? "" : String(row.rawShares)),
    },
    ...(
      [
        [
          "normshares",
          "NormShares",
          (row: SshareRow) => (row.depth === 0 ? Number.NaN : row.normShares),
        ],
        ["rawusage", "RawUsage", (row: SshareRow) => row.rawUsage],
        ["normusage", "NormUsage", (row: SshareRow) => row.normUsage],
        ["effectvusage", "EffectvUsage", (row: SshareRow) => row.effectvUsage],
        ["fairshare", "FairShare", (row: SshareRow) => row.fairShare],
        ["levelfs", "LevelFS", (row: SshareRow) => row.levelFs],
      ] as const
    ).map(([id, label, value]) => ({
      id,
      label,
      width: "minmax(84px, 1fr)",
      right: true,
      value,
      text: (row: SshareRow) => (id === "rawusage" ? String(row.rawUsage) : share(value(row))),
    })),
  ];
}

export function reservationColumns(
  stage: Stage,
  interventions: readonly Intervention[],
  atMs: number,
  calendar: string | undefined,
): readonly GridColumn<ReservationRow>[] {
  const made = (row: ReservationRow) =>
    interventions.findLast(
      (change): change is Extract<Intervention, { kind: "reserve" }> =>
        change.kind === "reserve" && change.name === row.name && change.atMs <= atMs,
    );
  const clock = clockReader(calendar);
  const names = (list: readonly string[] | undefined) =>
    list === undefined || list.length === 0 ? "(null)" : list.join(",");
  return [
    text("name", "ReservationName", "minmax(110px, 1fr)", (row) => row.name),
    {
      ...text<ReservationRow>("state", "State", "64px", (row) => stateOf(row, atMs)),
      look: "strong",
    },
    {
      id: "start",
      label: "StartTime",
      width: "140px",
      kind: "time",
      read: clock,
      value: (row) => row.startMs,
      text: (row) => slurmClock(row.startMs, calendar),
    },
    {
      id: "end",
      label: "EndTime",
      width: "140px",
      kind: "time",
      read: clock,
      value: (row) => row.endMs,
      text: (row) => slurmClock(row.endMs, calendar),
    },
    {
      ...number<ReservationRow>("duration", "Duration", "84px", (row) => row.endMs - row.startMs),
      kind: "duration",
      text: (row) => paddedSpan(row.endMs - row.startMs),
    },
    number("nodecnt", "NodeCnt", "56px", (row) => row.nodes.length),
    text("nodes", "Nodes", "minmax(100px, 1fr)", (row) => hostList(stage, row.nodes)),
    text("flags", "Flags", "minmax(100px, 1fr)", (row) => row.flags.join(",")),
    text("users", "Users", "minmax(70px, 1fr)", (row) => names(made(row)?.users)),
    text("accounts", "Accounts", "minmax(70px, 1fr)", (row) => names(made(row)?.accounts)),
  ];
}

function stateOf(row: ReservationRow, atMs: number): string {
  return row.startMs <= atMs && atMs < row.endMs ? "ACTIVE" : "INACTIVE";
}

function text<Row>(
  id: string,
  label: string,
  width: string,
  of: (row: Row) => string,
): GridColumn<Row> {
  return { id, label, width, value: of, text: of };
}

function number<Row>(
  id: string,
  label: string,
  width: string,
  of: (row: Row) => number,
): GridColumn<Row> {
  return { id, label, width, right: true, value: of, text: (row) => whole(of(row)) };
}

/** Rows may be put together by it. */
function group<Row>(column: GridColumn<Row>): GridColumn<Row> {
  return { ...column, groups: true };
}

function summed<Row>(column: GridColumn<Row>): GridColumn<Row> {
  return { ...column, sum: whole };
}

/** A bound typed into a filter, as in the clock. */
function clockReader(calendar: string | undefined): (text: string) => number | null {
  return (text) => readClock(text, useApp.getState().cursorMs, calendar);
}
