/**
 * `sprio`, `sshare` and `squeue` as the recorder's snapshots show them, against the scheduler's tables at that moment. Numbers on which the two
 * runs differ are left out. Slurm prints shares with six decimals and priorities as whole numbers: ours are rounded as they print.
 */
import type { PriorityConfig } from "../../model/slurm/config.ts";
import type { SlurmTables, SprioRow, SshareRow } from "../../model/slurm/tables.ts";
import { SECOND_MS } from "../../model/units.ts";
import type { Difference } from "./slurmTruthChecks.ts";
import { agreedUntilSec, type Recording, type TruthSnapshot } from "./slurmTruthFile.ts";
import { plainReason } from "./slurmTruthReasons.ts";
import type { OurOutcome } from "./slurmTruthRun.ts";
import { squeueRow, wordIn } from "./slurmTruthSqueue.ts";

type Row = Readonly<Record<string, unknown>>;

/** What a snapshot is taken to be: the moment it was really taken at. */
export function snapshotMs(snapshot: TruthSnapshot): number {
  return Math.round(snapshot.offsetSec * SECOND_MS);
}

/** `sprio`, `sshare` and `squeue` of the snapshots against ours at the same moments, numbers that the two runs share. */
export function checkSnapshots(truth: Recording, ours: OurOutcome): Difference[] {
  const others = truth.snapshots?.runB ?? [];
  return (truth.snapshots?.runA ?? []).flatMap((snapshot, at) => {
    const other = others[at];
    const atMs = snapshotMs(snapshot);
    const answer = ours.answers.find((one) => one.question.atMs === atMs);
    if (other === undefined || snapshot.offsetSec >= agreedUntilSec(truth)) return [];
    if (answer === undefined)
      throw new Error(`the snapshot at ${snapshot.offsetSec} s was not asked`);
    const { tables } = answer;
    const differences: Difference[] = [];
    const add = (job: string, field: string, expected: unknown, got: unknown) =>
      differences.push({
        job,
        field,
        expected: String(expected),
        got: String(got),
        atSec: snapshot.offsetSec,
      });
    const lagging = usageLags(truth, ours, snapshot.offsetSec);
    checkSshare(snapshot, other, tables, lagging, add);
    checkSprio(snapshot, other, tables, ours, lagging, add);
    checkNormalised(snapshot, other, tables, ours, add);
    checkSqueue(truth, snapshot, other, tables, ours, atMs, add);
    return differences;
  });
}

type Add = (who: string, field: string, expected: unknown, got: unknown) => void;

const priorityOf = (ours: OurOutcome): PriorityConfig | undefined =>
  ours.world.pools[0]?.settings.slurm?.priority;

/**
 * The classic formula reads the accounts' usage of the tick before where jobs ran at the last tick: a lag that is no rule to follow (09b). The
 * shares of such moments are not checked.
 */
function usageLags(truth: Recording, ours: OurOutcome, atSec: number): boolean {
  const priority = priorityOf(ours);
  if (priority === undefined || priority.fairTree) return false;
  const startSec =
    Number(ours.world.pools[0]?.settings.settings.controllerStartMs ?? 0) / SECOND_MS;
  const periodSec = priority.calcPeriodMs / SECOND_MS;
  const tickSec = startSec + Math.floor((atSec - startSec) / periodSec) * periodSec;
  return Object.values(truth.results).some((result) =>
    (result.segments ?? []).some(
      ({ startSec: from, endSec: to }) =>
        typeof from === "number" && from <= tickSec + 1 && (to ?? tickSec) >= tickSec - 1,
    ),
  );
}

function checkSshare(
  snapshot: TruthSnapshot,
  other: TruthSnapshot,
  { sshare }: SlurmTables,
  lagging: boolean,
  add: Add,
): void {
  for (const row of snapshot.sshare ?? []) {
    const key = shareKey(row);
    const twin = (other.sshare ?? []).find((one) => shareKey(one) === key);
    const our = sshare.find((one) => `${one.account}/${one.user}` === key);
    if (our === undefined) {
      add(`sshare ${key}`, "row", "there", "absent");
      continue;
    }
    for (const [field, ourValue] of shareValues(our, row, lagging)) {
      const value = row[field];
      if (value === null || value === undefined || !equal(value, twin?.[field])) continue;
      if (!printsAs(ourValue, value, field)) add(`sshare ${key}`, field, value, shown(ourValue));
    }
  }
}

const shareKey = (row: Row): string => `${String(row.Account)}/${row.User ?? ""}`;

/** What ours says of each column that is checked; columns that have no meaning in a row are left out. */
function shareValues(our: SshareRow, row: Row, lagging: boolean): [string, number | string][] {
  const isRoot = our.depth === 0;
  const values: [string, number | string][] = [
    ["depth", our.depth],
    ["RawUsage", our.rawUsage],
  ];
  if (isRoot) return values;
  values.push(["NormShares", our.normShares]);
  if (typeof row.RawShares === "number") values.push(["RawShares", our.rawShares]);
  if (lagging) return values;
  values.push(["NormUsage", our.normUsage], ["EffectvUsage", our.effectvUsage]);
  if (!Number.isNaN(our.fairShare)) values.push(["FairShare", our.fairShare]);
  if (!Number.isNaN(our.levelFs)) values.push(["LevelFS", our.levelFs]);
  return values;
}

function checkSprio(
  snapshot: TruthSnapshot,
  other: TruthSnapshot,
  { sprio }: SlurmTables,
  ours: OurOutcome,
  lagging: boolean,
  add: Add,
): void {
  const rows = snapshot.sprio ?? [];
  for (const row of rows) {
    const our = rowOf(sprio, row, ours);
    const twin = (other.sprio ?? []).find((one) => sprioKey(one) === sprioKey(row));
    const who = `sprio ${String(row.id)}`;
    if (our === undefined) {
      add(who, "row", "there", "absent");
      continue;
    }
    for (const [field, ourValue] of sprioValues(our)) {
      const value = row[field];
      if (lagging && (field === "FAIRSHARE" || field === "PRIORITY")) continue;
      if (typeof value !== "number" || !equal(value, twin?.[field])) continue;
      const whole = field === "PRIORITY" ? Math.floor(ourValue) : Math.round(ourValue);
      if (whole !== value) add(who, field, value, ourValue);
    }
  }
}

const sprioKey = (row: Row): string => `${String(row.id)}/${String(row.partitionName)}`;

function rowOf(sprio: readonly SprioRow[], row: Row, ours: OurOutcome): SprioRow | undefined {
  const mine = sprio.filter((one) => ours.names[one.jobIdx] === row.id);
  return mine.find((one) => one.partition === row.partitionName) ?? mine[0];
}

function sprioValues(our: SprioRow): [string, number][] {
  return [
    ["PRIORITY", our.priority],
    ["AGE", our.age],
    ["ASSOC", our.assoc],
    ["FAIRSHARE", our.fairshare],
    ["JOBSIZE", our.jobSize],
    ["PARTITION", our.partitionFactor],
    ["QOS", our.qos],
    ["NICE", our.nice],
  ];
}

/** `sprio -n`: the same factors before their weights, with seven decimals. */
function checkNormalised(
  snapshot: TruthSnapshot,
  other: TruthSnapshot,
  { sprio }: SlurmTables,
  ours: OurOutcome,
  add: Add,
): void {
  const priority = priorityOf(ours);
  if (priority === undefined) return;
  for (const row of snapshot.sprioNormalised ?? []) {
    const our = rowOf(sprio, row, ours);
    const twin = (other.sprioNormalised ?? []).find((one) => sprioKey(one) === sprioKey(row));
    if (our === undefined) continue;
    const factors: [string, number, number][] = [
      ["AGE", our.age, priority.weightAge],
      ["FAIRSHARE", our.fairshare, priority.weightFairshare],
      ["JOBSIZE", our.jobSize, priority.weightJobSize],
      ["PARTITION", our.partitionFactor, priority.weightPartition],
      ["QOS", our.qos, priority.weightQos],
    ];
    for (const [field, value, weight] of factors) {
      const recorded = row[field];
      if (typeof recorded !== "number" || !equal(recorded, twin?.[field]) || weight === 0) continue;
      if (Math.abs(value / weight - recorded) > 1.1e-7)
        add(`sprio -n ${String(row.id)}`, field, recorded, value / weight);
    }
  }
}

/** Lines `id|name|priority|normalised|state|reason`, or with the user in place of the normalised priority. */
function checkSqueue(
  truth: Recording,
  snapshot: TruthSnapshot,
  other: TruthSnapshot,
  tables: SlurmTables,
  ours: OurOutcome,
  atMs: number,
  add: Add,
): void {
  const twins = new Set((other.squeue ?? []).map(squeueWords));
  for (const line of snapshot.squeue ?? []) {
    const words = squeueWords(line);
    if (!twins.has(words)) continue;
    const [name = "", priority = "", state = "", reason = ""] = words.split("|");
    const our = squeueRow(truth, ours, tables, name, atMs);
    const plain = plainReason(reason);
    if (our === null) {
      add(`squeue ${name}`, "row", state, "absent");
      continue;
    }
    const columns = [
      ["state", state, wordIn(our.states, state)],
      ["reason", plain, state === "PENDING" ? wordIn(our.reasons, plain) : plain],
    ] as const;
    for (const [field, recorded, got] of columns)
      if (recorded !== got) add(`squeue ${name}`, field, recorded, got);
    if (our.priority !== null && String(our.priority) !== priority)
      add(`squeue ${name}`, "priority", priority, our.priority);
  }
}

function squeueWords(line: string): string {
  const [, name, third, fourth, ...rest] = line.split("|");
  const priority = /^\d+$/.test(third ?? "") ? third : fourth;
  return [name, priority, ...rest].join("|");
}

/** `undefined` and null are the same nothing. */
function equal(a: unknown, b: unknown): boolean {
  return a === b || (a === null && b === undefined);
}

const shown = (value: number | string): string => String(value);

function printsAs(ours: number | string, recorded: unknown, field: string): boolean {
  if (recorded === "inf") return ours === Number.POSITIVE_INFINITY;
  if (typeof recorded !== "number") return String(ours) === String(recorded);
  if (typeof ours !== "number") return false;
  // Slurm cuts usage to whole seconds. A sum that is whole but for rounding may be cut on either side.
  if (field === "RawUsage")
    return Math.floor(ours + 1e-6) === recorded || Math.floor(ours) === recorded;
  return Math.abs(ours - recorded) <= 0.51e-6 * Math.max(1, Math.abs(recorded));
}
