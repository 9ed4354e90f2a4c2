/**
 * `golden-queueing/1`: exact values of queueing and reliability formulas. Each section that some formula of the product computes is one case: the
 * same inputs, every row, to nine digits (times that the product holds in whole milliseconds: to one). Sections that nothing of the product computes
 * are named and skipped; whole systems (waits of M/M/c, jobs of several sizes) are simulated by the study of `docs/studies/queueing.md`.
 */
import { dalyMs, youngMs } from "../../model/lab/checkpointInterval.ts";
import { erlangC, meanWaitMs } from "../../model/lab/latency.ts";
import { busFactor, recursiveDoublingS, ringS, treeS } from "../../model/network/allReduce.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../model/units.ts";
import { addUsage, createDecayedUsage, usageAt } from "../../scheduling/sharing/decayedUsage.ts";
import type { CaseOutcome, TruthFile } from "./outcome.ts";

type Row = Readonly<Record<string, unknown>>;
/** What one row says wrong; null = all right. */
type Check = (row: Row) => string | null;

const RELATIVE = 1e-9;

const SECTIONS: Readonly<
  Record<string, { readonly rows: readonly string[]; readonly check: Check }>
> = {
  erlang_MMc: { rows: ["rows"], check: erlangRow },
  mg1_pollaczek_khinchine: { rows: ["rows"], check: pollaczekRow },
  mgc_allen_cunneen: { rows: ["rows"], check: allenCunneenRow },
  checkpoint_young_daly: { rows: ["rows"], check: checkpointRow },
  allreduce_alpha_beta: { rows: ["rows"], check: allReduceRow },
  fair_share: { rows: ["half_life_decay", "decay"], check: decayRow },
};

/** Sections that describe the file. */
const ABOUT = ["schema", "_meta"];

export function* goldenQueueing(file: TruthFile): Iterable<CaseOutcome> {
  for (const [name, section] of Object.entries(file.content as Row)) {
    if (ABOUT.includes(name)) continue;
    const id = `${file.stem}/${name}`;
    const known = Object.hasOwn(SECTIONS, name) ? SECTIONS[name] : undefined;
    if (known === undefined) {
      yield { kind: "skip", id, why: "no formula of the product computes it" };
      continue;
    }
    const rows = known.rows.reduce<unknown>(
      (value, key) => (value as Row | undefined)?.[key],
      section,
    );
    if (Array.isArray(rows) && rows.length > 0) yield sectionOutcome(id, rows, known.check);
    else yield { kind: "fail", id, message: `it has no rows under ${known.rows.join(".")}` };
  }
}

function sectionOutcome(id: string, rows: readonly unknown[], check: Check): CaseOutcome {
  for (const [index, row] of rows.entries()) {
    const wrong = check(row as Row);
    if (wrong !== null) return { kind: "fail", id, message: `row ${index}: ${wrong}` };
  }
  return { kind: "pass", id };
}

const number = (row: Row, key: string): number => Number(row[key]);

/** Null where the row does not give the value, or it is what came. */
function compare(row: Row, key: string, came: number, relative = RELATIVE): string | null {
  if (row[key] === undefined) return null;
  const want = number(row, key);
  const near = Math.abs(came - want) <= relative * Math.max(Math.abs(want), Number.MIN_VALUE);
  return near ? null : `${key} expected ${want}, came ${came}`;
}

function first(...wrongs: readonly (string | null)[]): string | null {
  return wrongs.find((wrong) => wrong !== null) ?? null;
}

/** Mean wait in units of the mean service, by the formula that judges services. */
function meanWait(servers: number, rho: number, cv2: number): number {
  const perSec = servers * rho;
  return (
    meanWaitMs({ perSec, servers, requestMs: SECOND_MS, requestCv2: cv2, backlog: 0 }) / SECOND_MS
  );
}

function erlangRow(row: Row): string | null {
  const servers = number(row, "c");
  const rho = number(row, "rho");
  // A probability below what doubles can tell from 0 is not compared digit by digit.
  if (number(row, "erlang_C") < 1e-200) return null;
  const waits = erlangC(servers, servers * rho);
  return first(compare(row, "erlang_C", waits), compare(row, "Wq", meanWait(servers, rho, 1)));
}

function pollaczekRow(row: Row): string | null {
  return compare(row, "Wq", meanWait(1, number(row, "rho"), number(row, "cv2_service")));
}

function allenCunneenRow(row: Row): string | null {
  const servers = number(row, "c");
  const rho = number(row, "rho");
  if (number(row, "Wq_MMc") < 1e-200) return null;
  const of = (key: string, cv2: number) => compare(row, key, meanWait(servers, rho, cv2));
  const others = Object.keys(row).filter((key) => key.startsWith("Wq_AC_cs2_"));
  return first(of("Wq_MMc", 1), ...others.map((key) => of(key, Number(key.slice(10)))));
}

function checkpointRow(row: Row): string | null {
  const costMs = number(row, "checkpoint_cost_s") * SECOND_MS;
  const mtbfMs = number(row, "MTBF_h") * HOUR_MS;
  return first(
    compare(row, "young_s", youngMs(costMs, mtbfMs) / SECOND_MS),
    compare(row, "daly_higher_order_s", dalyMs(costMs, mtbfMs) / SECOND_MS),
  );
}

function allReduceRow(row: Row): string | null {
  const members = number(row, "n");
  const bytes = number(row, "bytes");
  const link = {
    bytesPerS: number(row, "bytes_per_s_one_direction"),
    alphaS: number(row, "alpha_s"),
  };
  const rings = ringS(members, bytes, link);
  const wrong = first(
    compare(row, "ring_s", rings),
    compare(row, "ring_algbw_B_per_s", bytes / rings),
    compare(row, "ring_busbw_B_per_s", (bytes / rings) * busFactor("allReduce", members)),
  );
  if (wrong !== null || !followsItsFormula(row, members, bytes, link)) return wrong;
  return first(
    compare(row, "tree_s", treeS(members, bytes, link)),
    compare(row, "recursive_doubling_s", recursiveDoublingS(members, bytes, link)),
  );
}

/** The file states ⌈log2 n⌉ levels; rows whose own number has another count of levels (a rounded logarithm) say nothing of trees. */
function followsItsFormula(
  row: Row,
  members: number,
  bytes: number,
  { bytesPerS, alphaS }: { bytesPerS: number; alphaS: number },
): boolean {
  const levels = number(row, "recursive_doubling_s") / (alphaS + bytes / bytesPerS);
  const least = Math.round(levels);
  return 2 ** least >= members && 2 ** (least - 1) < members;
}

/** Usage is held in whole device-milliseconds: a large amount, so that the last digit counts little. */
function decayRow(row: Row): string | null {
  const amount = 2 ** 50;
  const usage = createDecayedUsage(1, number(row, "half_life_days") * DAY_MS, 0);
  addUsage(usage, 0, amount, 0);
  const left = usageAt(usage, 0, number(row, "elapsed_days") * DAY_MS) / amount;
  return compare(row, "remaining_fraction", left, 1e-6);
}
