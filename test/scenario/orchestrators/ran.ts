/** Runs the document of a cell or a saying and answers what its judges ask. */
import { simulate } from "../../../src/cli/simulate.ts";
import { nodeOfDevice } from "../../../src/model/cluster.ts";
import { nameOf } from "../../../src/model/jobs.ts";
import { END_STATES } from "../../../src/model/states.ts";
import { MINUTE_MS } from "../../../src/model/units.ts";
import type { Chunk } from "../../../src/record/shapes.ts";
import type { ScenarioInput } from "../../../src/scenario/schema.ts";
import { mustRead } from "../scenarios.ts";
import type { Ran } from "./judges.ts";

export function ran(document: ScenarioInput): Ran {
  const chunks: Chunk[] = [];
  const { world } = simulate(mustRead(document), undefined, {
    checks: true,
    onChunk: (chunk) => chunks.push(chunk),
  });
  const isOf = (id: string) => (jobIdx: number) => nameOf(world.jobs.ids, jobIdx) === id;
  const runsOf = (id: string) =>
    chunks
      .flatMap(({ runs }) =>
        Array.from(runs.jobIdx, (jobIdx, row) => ({
          jobIdx,
          startMin: runs.startMs[row]! / MINUTE_MS,
          endMin: runs.endMs[row]! / MINUTE_MS,
          end: END_STATES[runs.endState[row]!]!,
        })),
      )
      .filter(({ jobIdx }) => isOf(id)(jobIdx))
      .toSorted((a, b) => a.startMin - b.startMin);
  return {
    runsOf,
    nodesOf: (id) =>
      chunks.flatMap(({ rects }) =>
        Array.from(rects.jobIdx, (jobIdx, row) => ({ jobIdx, row }))
          .filter(({ jobIdx }) => isOf(id)(jobIdx))
          .map(({ row }) => nodeOfDevice(world.cluster, rects.device[row]!)),
      ),
    startMin: (id) => runsOf(id)[0]?.startMin ?? Number.POSITIVE_INFINITY,
    heldBy: (id, atMin) =>
      chunks.reduce((sum, { rects }) => {
        const atMs = atMin * MINUTE_MS;
        const held = Array.from(rects.deviceCount, (count, row) =>
          isOf(id)(rects.jobIdx[row]!) && rects.startMs[row]! <= atMs && atMs < rects.endMs[row]!
            ? count
            : 0,
        );
        return sum + held.reduce((a, b) => a + b, 0);
      }, 0),
  };
}
