/**
 * Every setting of the lab decides something: for each there is a crowd in which another value gives another schedule, and for each two options of an
 * enum one that tells them apart. A setting or option that is added needs its line here.
 */
import { describe, expect, test } from "vitest";
import { simulate } from "../../src/cli/simulate.ts";
import { readScenario } from "../../src/scenario/read.ts";
import type { SettingSpec } from "../../src/scenario/settingSpec.ts";
import { presetOf } from "../../src/scenario/settings.ts";
import { type Crowd, crowd } from "../support/labCrowds.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
type Value = string | number | boolean;
type Settings = Readonly<Record<string, Value>>;

interface Case {
  readonly in: Crowd | readonly Crowd[];
  /** Other settings under which it matters. */
  readonly given?: Settings;
  /** Another value than the standard one; of an enum, all are tried, of a switch the other. */
  readonly to?: number;
}

const PREEMPTS = { order: "tiers", preemption: "requeue" };
const PREEMPTS_SLOWLY = { order: "tiers", preemption: "graceful" };
const MULTIFACTOR = { order: "multifactor", halfLifeMs: 6 * HOUR_MS };
const AUCTION = { quota: "auction", auctionEveryMs: 5 * MINUTE_MS };

const CASES: Readonly<Record<string, Case>> = {
  order: { in: "models", given: { agingMs: HOUR_MS } },
  backfill: { in: "plain", given: { reservations: 3 } },
  placement: { in: ["parts", "wide"] },
  gangTogether: { in: "plain" },
  depth: { in: "plain", given: { backfill: "conservative" }, to: 2 },
  halfLifeMs: { in: "plain", given: { order: "fairShare" }, to: HOUR_MS },
  shareOf: { in: "plain", given: { order: "fairShare" } },
  queuedWeight: { in: "plain", given: { order: "fairShare" }, to: 2 },
  tiersFirst: { in: "plain" },
  agingMs: { in: "plain", given: { order: "aging" }, to: HOUR_MS },
  ageWeight: { in: "plain", given: MULTIFACTOR, to: 100_000 },
  fairShareWeight: { in: "plain", given: MULTIFACTOR, to: 0 },
  sizeWeight: { in: "plain", given: MULTIFACTOR, to: 50_000 },
  tierWeight: { in: "plain", given: MULTIFACTOR, to: 0 },
  ageMaxMs: { in: "plain", given: { ...MULTIFACTOR, ageWeight: 20_000 }, to: HOUR_MS },
  priorityEveryMs: { in: "plain", given: MULTIFACTOR, to: 2 * HOUR_MS },
  roundMs: { in: "plain", given: { order: "tiresias" }, to: 0 },
  attainedQueues: { in: "plain", given: { order: "tiresias" }, to: 4 },
  attainedHours: { in: "plain", given: { order: "tiresias" }, to: 8 },
  promoteFactor: { in: "plain", given: { order: "tiresias" }, to: 1 },
  speedsKnown: { in: "models", given: { order: "gavel" } },
  quota: { in: "plain", given: { auctionEveryMs: 5 * MINUTE_MS } },
  reclaimTo: { in: "plain", given: { quota: "reclaim" } },
  auctionEveryMs: { in: "plain", given: AUCTION, to: HOUR_MS },
  refillEveryMs: { in: "plain", given: AUCTION, to: 2 * HOUR_MS },
  burstMs: { in: "plain", given: AUCTION, to: 20 * MINUTE_MS },
  bidDefault: { in: "plain", given: AUCTION, to: 50 },
  reservations: { in: "plain", given: { backfill: "reservations" }, to: 5 },
  windowMs: {
    in: "plain",
    given: { backfill: "reservations", reservations: 5 },
    to: 10 * MINUTE_MS,
  },
  testDepth: { in: "plain", to: 2 },
  passEveryMs: { in: "plain", to: 10 * MINUTE_MS },
  passPer: { in: "plain" },
  releaseAtEstimate: { in: "plain", given: { passPer: "eventArrivalsFirst" } },
  staleReservation: { in: "plain" },
  extra: { in: "plain" },
  judgedByRunTime: { in: "plain" },
  runTimes: { in: "plain", given: { estimateFactor: 4 } },
  estimateFactor: { in: "plain", given: { runTimes: "factor" }, to: 10 },
  estimateNoise: { in: "plain", given: { runTimes: "noisy" }, to: 3 },
  preemption: { in: "plain", given: { order: "tiers" } },
  graceMs: { in: "plain", given: PREEMPTS_SLOWLY, to: 1_000 },
  victims: { in: "plain", given: { ...PREEMPTS, order: "fairShare", tiersFirst: true } },
  preemptUnit: { in: "plain", given: PREEMPTS },
  newerEqual: { in: "plain", given: PREEMPTS },
  onlyIfUseful: { in: "plain", given: PREEMPTS },
  shrinkFirst: { in: "elastic", given: PREEMPTS },
  minRunMs: { in: "plain", given: PREEMPTS, to: 2 * HOUR_MS },
  exemptMs: { in: "plain", given: PREEMPTS, to: 10 * MINUTE_MS },
  cooldownMs: { in: "plain", given: PREEMPTS, to: 10 * HOUR_MS },
  giveUpMs: { in: "plain", given: PREEMPTS_SLOWLY, to: MINUTE_MS },
  evictionsMost: { in: "plain", given: PREEMPTS, to: 1 },
  within: { in: "plain" },
  numa: { in: "plain" },
  cpuReserve: { in: "plain", to: 4 },
  migPacking: { in: "parts" },
  sharePacking: { in: "parts", given: { migPacking: "firstFit" } },
  repartitionMs: { in: "parts", given: { migPacking: "firstFit" }, to: 10 * MINUTE_MS },
  defragment: { in: "plain" },
  defragmentEveryMs: { in: "plain", given: { defragment: true }, to: 5 * HOUR_MS },
  defragmentCostMs: { in: "plain", given: { defragment: true }, to: 30 * MINUTE_MS },
  defragmentMoves: { in: "plain", given: { defragment: true }, to: 1 },
  growElastic: { in: "elastic" },
  elasticEveryMs: { in: "elastic", to: 10 * HOUR_MS },
  startSmall: { in: "elastic" },
};

/** Crowds of a kind that are tried one after the other. */
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8];
const digests = new Map<string, string>();

function digestOf(kind: Crowd, number: number, settings: Settings): string {
  const key = JSON.stringify([kind, number, settings]);
  let digest = digests.get(key);
  if (digest === undefined) {
    const read = readScenario(crowd(kind, number, settings));
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    digest = simulate(read.value, undefined, { checks: false }).digest;
    digests.set(key, digest);
  }
  return digest;
}

function tellsApart(key: string, one: Value, other: Value, { in: kinds, given }: Case): boolean {
  return [kinds].flat().some((kind) =>
    NUMBERS.some((number) => {
      const digest = (value: Value) => digestOf(kind as Crowd, number, { ...given, [key]: value });
      return digest(one) !== digest(other);
    }),
  );
}

function pairsOf(spec: SettingSpec, { to }: Case): (readonly [Value, Value])[] {
  if (spec.kind === "boolean") return [[true, false]];
  if (spec.kind !== "enum") return [[spec.standard, to ?? Number.NaN]];
  const values = spec.options.map((option) => option.value);
  return values.flatMap((one, i) => values.slice(i + 1).map((other) => [one, other] as const));
}

describe("settings of the lab", () => {
  const settings = presetOf("lab")!.settings;

  test("have a line in this table, and the table has no others", () => {
    expect(Object.keys(CASES).sort()).toEqual(settings.map((spec) => spec.key).sort());
  });

  test.each(settings.map((spec) => [spec.key, spec] as const))(
    "%s decides something",
    (key, spec) => {
      const found = CASES[key]!;
      const alike = pairsOf(spec, found).filter(
        ([one, other]) => !tellsApart(key, one, other, found),
      );
      expect(alike).toEqual([]);
    },
  );
});
