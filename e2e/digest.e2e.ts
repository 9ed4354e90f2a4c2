/** One digest everywhere: what the page computes in its worker is what `queuescope run` prints in Node. */

import { expect, test } from "./base.ts";
import { runInNode } from "./support/headless.ts";
import { libraryScenarios } from "./support/library.ts";
import { drawn } from "./support/scenarios.ts";

const cases: readonly (readonly [string, unknown])[] = [
  ...libraryScenarios().map(({ id, scenario }) => [`library: ${id}`, scenario] as const),
  ["drawn from a seed", drawn(20_261)],
  [
    "drawn from a seed, with changes on the way",
    {
      ...drawn(7, 35),
      interventions: [
        { kind: "drain", atMs: 6 * 3_600_000, nodes: ["n-000"] },
        {
          kind: "policy",
          atMs: 9 * 3_600_000,
          policy: { preset: "lab", settings: { backfill: "conservative", placement: "bestFit" } },
        },
        { kind: "fail", atMs: 12 * 3_600_000, nodes: ["n-003"] },
        { kind: "inject", atMs: 13 * 3_600_000, job: { id: "x", gpus: 64, workMs: 7_200_000 } },
        { kind: "resume", atMs: 20 * 3_600_000, nodes: ["n-000", "n-003"] },
      ],
    },
  ],
];

for (const [name, scenario] of cases) {
  test(`page and Node agree on the digest of ${name}`, async ({ bench }) => {
    await bench.visit();
    await bench.open(scenario as Parameters<typeof bench.open>[0]);
    const { digest, jobs } = await runInNode(scenario);
    expect(jobs).toBeGreaterThan(0);
    expect(await bench.digest()).toBe(digest);
  });
}
