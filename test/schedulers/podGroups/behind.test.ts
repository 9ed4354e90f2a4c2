/** Under schedulers that look at the heads of lanes alone, those behind are told so; in their turn they hear why. */
import { expect, test } from "vitest";
import { simulate } from "../../../src/cli/simulate.ts";
import { nameOf } from "../../../src/model/jobs.ts";
import { kubeReasonOf, WAIT_REASONS } from "../../../src/model/reasons.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import { DecisionKindCode } from "../../../src/record/shapes.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { mustRead } from "../../scenario/scenarios.ts";
import { documentWorld } from "../../support/documentWorld.ts";
import { runAll } from "../../support/labRuns.ts";

/** What each job was told, in order, with when. */
function toldAt(
  preset: string,
  interventions: NonNullable<ScenarioInput["interventions"]> = [],
): Record<string, [ms: number, word: string][]> {
  const job = (id: string, submitMs: number) => ({ id, submitMs, workMs: 60_000, gpus: 2 });
  const jobs = [job("runs", 0), job("a", 5_500), job("b", 6_500), job("c", 7_500)];
  const chunks: Chunk[] = [];
  const { world } = simulate(
    mustRead({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 2 }] },
      pools: [{ id: "all", policy: { preset } }],
      workload: { jobs },
      interventions,
    }),
    undefined,
    { checks: true, onChunk: (chunk) => chunks.push(chunk) },
  );
  const words: Record<string, [number, string][]> = { runs: [], a: [], b: [], c: [] };
  for (const { decisions } of chunks)
    decisions.kind.forEach((kind, row) => {
      if (kind !== DecisionKindCode.wait) return;
      const code = decisions.reason[row]!;
      words[nameOf(world.jobs.ids, decisions.jobIdx[row]!)]!.push([
        decisions.atMs[row]!,
        kubeReasonOf(code) ?? WAIT_REASONS[code]!,
      ]);
    });
  return words;
}

function told(preset: string): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(toldAt(preset)).map(([job, words]) => [job, words.map(([, word]) => word)]),
  );
}

test.each(["volcano", "kai", "ray"])(
  "%s: nobody behind a head is left without a word",
  (preset) => {
    const { runs, a, b, c } = told(preset);
    expect(runs).not.toContain("behindLike");
    expect(a![0]).not.toBe("behindLike");
    for (const behind of [b!, c!]) {
      expect(behind[0]).toBe("behindLike");
      expect(behind.filter((word) => word === "behindLike")).toHaveLength(1);
    }
    // `c` is the head once `b` runs, and hears what the head hears.
    expect(c!.length).toBeGreaterThan(1);
  },
);

test.each(["volcano", "kai"])("%s: who holds too few members to run hears so", (preset) => {
  const job = { submitMs: 0, workMs: 50_000, gang: false };
  const world = documentWorld({
    version: 1,
    horizonMs: 40_000,
    cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
    pools: [{ id: "all", policy: { preset } }],
    workload: {
      jobs: [
        { ...job, id: "blocks", gpus: 2 },
        { ...job, id: "pair", components: [{ members: 2, gpusPerMember: 2 }] },
      ],
    },
  });
  const { decisions } = runAll(world).chunk;
  const words = Array.from(decisions.kind, (kind, row) =>
    kind === DecisionKindCode.wait && decisions.jobIdx[row] === 1
      ? kubeReasonOf(decisions.reason[row]!)
      : null,
  );
  expect(words.filter((word) => word !== null).at(-1)).toBe("partBound");
});
