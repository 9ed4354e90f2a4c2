import { expect, test } from "vitest";
import { NodeStateCode } from "../../src/model/states.ts";
import type { Chunk } from "../../src/record/shapes.ts";
import { capacitySteps } from "../../src/timeline/capacity.ts";
import { syntheticCluster } from "../../src/timeline/syntheticRecord.ts";

const cluster = syntheticCluster({ nodes: 4, gpusPerNode: 8, rects: 0, nodesPerLeaf: 2 });

function chunk(
  spans: readonly { node: number; startMs: number; endMs: number; state: number }[],
): Chunk {
  return {
    nodeSpans: {
      node: Uint32Array.from(spans, (span) => span.node),
      startMs: Float64Array.from(spans, (span) => span.startMs),
      endMs: Float64Array.from(spans, (span) => span.endMs),
      state: Uint8Array.from(spans, (span) => span.state),
    },
  } as unknown as Chunk;
}

test("a drained node's GPUs are out of service while it is, whatever chunk tells it", () => {
  const { drained, down } = NodeStateCode;
  const steps = capacitySteps(
    cluster,
    [
      chunk([{ node: 1, startMs: 10, endMs: 30, state: drained }]),
      chunk([{ node: 2, startMs: 20, endMs: Number.POSITIVE_INFINITY, state: down }]),
    ],
    null,
  );
  expect(steps).toEqual([
    { atMs: 0, devices: 32 },
    { atMs: 10, devices: 24 },
    { atMs: 20, devices: 16 },
    { atMs: 30, devices: 24 },
  ]);
});

test("a node that is not there yet counts from when it comes", () => {
  const spans = [{ node: 0, startMs: 0, endMs: 5, state: NodeStateCode.unborn }];
  expect(capacitySteps(cluster, [chunk(spans)], null)).toEqual([
    { atMs: 0, devices: 24 },
    { atMs: 5, devices: 32 },
  ]);
});
