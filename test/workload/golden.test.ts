/**
 * The bits of a drawn workload, fixed: a change here changes what every link to a drawn workload means. Change it on purpose
 * only, with a "Results change" entry in the changelog.
 */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { libraryScenario } from "../../src/scenario/library/index.ts";
import { expand } from "../../src/workload/expand.ts";
import { must } from "../scenario/scenarios.ts";

test("the month on 128 nodes is drawn to the bit", () => {
  const { jobs } = must(expand(libraryScenario("month-128")!));
  const hash = createHash("sha256");
  for (const column of [
    jobs.at.submitMs,
    jobs.at.workQ16,
    jobs.at.limitMs,
    jobs.at.gpuTotal,
    jobs.at.team,
    jobs.at.user,
  ]) {
    hash.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  expect([jobs.count, hash.digest("hex")]).toEqual([
    18_596,
    "1730bd6d5353f4af524ee36bebc0da1671ee5e40e4ae9d1250044e4bef8d0ce0",
  ]);
});
