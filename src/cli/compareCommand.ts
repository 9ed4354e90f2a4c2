/**
 * `compare INPUT --policy A --policy B`: the same scenario under several policies and seeds, with intervals and paired differences. One table, or one JSON object with
 * `--json`. The same call prints the same text.
 */
import { type ComparedValue, compareRuns } from "../metrics/comparison.ts";
import type { Interval } from "../metrics/replications.ts";
import type { RunMetrics } from "../metrics/runMetrics.ts";
import { say, wrongCall } from "./fail.ts";
import { loadInput } from "./input.ts";
import { type Overrides, override, tellIdle, tellReplaced } from "./overrides.ts";
import { simulate } from "./simulate.ts";

export interface CompareOptions extends Omit<Overrides, "policy"> {
  /** `NAME`, or `NAME:setting=value,setting=value`. */
  readonly policies: readonly string[];
  readonly replications: number;
  readonly trace?: string;
  readonly json: boolean;
}

interface Run {
  readonly digest: string;
  readonly metrics: RunMetrics;
}

export function compareCommand(input: string, options: CompareOptions): void {
  const { policies, replications } = options;
  if (policies.length < 2) throw wrongCall("compare needs --policy at least twice");
  const { scenario, trace } = loadInput(input, options.trace);
  tellReplaced(
    scenario,
    policies.map((policy) => policyOf(policy, options).policy),
  );
  const first = options.seed ?? scenario.seed;
  const seeds = Array.from({ length: replications }, (_, index) => first + index);
  const runs = policies.map((policy) =>
    seeds.map((seed): Run => {
      const changed = override(scenario, trace, { ...options, ...policyOf(policy, options), seed });
      if (seed === first) tellIdle(changed);
      const { digest, metrics } = simulate(changed, trace, { checks: false });
      return { digest, metrics };
    }),
  );
  if (replications > 1 && runs[0]!.every(({ digest }) => digest === runs[0]![0]!.digest))
    say("nothing in this scenario is drawn: all seeds give the same run, and intervals are empty");
  tellOtherJobs(policies, runs);
  const compared = compareRuns(runs.map((own) => own.map(({ metrics }) => metrics)));
  process.stdout.write(
    options.json ? asJson(policies, seeds, runs, compared) : asTable(policies, compared),
  );
}

/** A wait is taken over the jobs that start: where these are not as many under each policy, the numbers are of other jobs. Replicas of services start as demand goes. */
function tellOtherJobs(policies: readonly string[], runs: readonly (readonly Run[])[]): void {
  const started = runs.map((own) => own.reduce((sum, { metrics }) => sum + metrics.started, 0));
  const serves = runs.some((own) =>
    own.some(({ metrics }) => Object.keys(metrics.slo.services).length > 0),
  );
  if (serves || new Set(started).size < 2) return;
  const counts = policies.map((policy, index) => `${started[index]} under ${policy}`).join(", ");
  say(
    `not the same jobs start: ${counts}; waits, turnarounds and slowdowns are taken over those that do`,
  );
}

/** Settings behind the name come before those for all. */
function policyOf(text: string, { set = [] }: CompareOptions): Pick<Overrides, "policy" | "set"> {
  const colon = text.indexOf(":");
  if (colon < 0) return { policy: text, set };
  return { policy: text.slice(0, colon), set: [...text.slice(colon + 1).split(","), ...set] };
}

type Compared = ReadonlyMap<string, readonly ComparedValue[]>;

function asJson(
  policies: readonly string[],
  seeds: readonly number[],
  runs: readonly (readonly Run[])[],
  compared: Compared,
): string {
  const report = {
    seeds,
    policies: policies.map((policy, index) => ({
      policy,
      digests: runs[index]!.map(({ digest }) => digest),
      metrics: Object.fromEntries([...compared].map(([name, values]) => [name, values[index]!])),
    })),
  };
  // The interval of a single value has no end, which JSON cannot say: null.
  return `${JSON.stringify(report, null, 2)}\n`;
}

function asTable(policies: readonly string[], compared: Compared): string {
  const head = [
    "metric",
    ...policies,
    ...policies.slice(1).flatMap((policy) => [`${policy} − ${policies[0]}`, "distinct"]),
  ];
  const rows = [...compared].map(([name, values]) => [
    name,
    ...values.map(intervalText),
    ...values.flatMap(({ difference }) =>
      difference === null
        ? []
        : [intervalText(difference), verdict(difference, difference.distinct)],
    ),
  ]);
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join("");
}

function verdict({ count }: Interval, distinct: boolean): string {
  return count < 2 ? "one seed" : distinct ? "yes" : "no";
}

function intervalText({ mean, halfWidth, count }: Interval): string {
  return count < 2 ? short(mean) : `${short(mean)} ± ${short(halfWidth)}`;
}

/** Four digits that count, without an exponent; what would be nothing but zeros is 0. */
function short(value: number): string {
  if (value === 0) return "0";
  const digits = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(value)))));
  const text = value.toFixed(digits);
  return Number(text) === 0 ? "0" : text;
}
