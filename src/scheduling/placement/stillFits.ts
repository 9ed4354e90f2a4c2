/** Whether a place chosen earlier is still free: asked of reservations at every pass, so it must cost no more than their rows. */
import { sliceMask } from "../../model/mig.ts";
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Capacity } from "./capacity.ts";
import { takenBy } from "./capacity.ts";
import { membersInDomains } from "./numa.ts";
import type { Placing } from "./placing.ts";
import type { Part, Shape } from "./shapes.ts";
import { FIRST_SLICE, slicesOn } from "./slices.ts";

/** What the rows ask of each node together; zero between calls. */
let gpus = new Int32Array(0);
let cpuMilli = new Float64Array(0);
let memMiB = new Float64Array(0);

/** False for an empty placing. O(rows): several of them may name one node and are summed up first. */
export function stillFits(capacity: Capacity, placing: Placing, shape: Shape): boolean {
  if (placing.length === 0) return false;
  if (shape.parts.length === 1 && shape.parts[0]!.devicesOnly) {
    return devicesStillFree(capacity, placing, shape.parts[0]!.gpus);
  }
  if (gpus.length < capacity.gpusFree.length) {
    gpus = new Int32Array(capacity.gpusFree.length);
    cpuMilli = new Float64Array(capacity.gpusFree.length);
    memMiB = new Float64Array(capacity.gpusFree.length);
  }
  addRows(placing, shape, 1);
  let fits = true;
  for (let row = 0; row < placing.length && fits; row++) {
    const part = shape.parts[placing.part[row]!]!;
    const node = placing.node[row]!;
    const device = placing.device[row]!;
    fits =
      capacity.nodeState[node] === NodeStateCode.open &&
      gpus[node]! <= capacity.gpusFree[node]! &&
      (device < 0 || partFree(capacity, part, placing, row)) &&
      (part.rules.numa !== "single" ||
        membersInDomains(capacity.cluster, capacity.deviceUsed, node, part.gpus) >=
          placing.members[row]!) &&
      (cpuMilli[node] === 0 || cpuMilli[node]! <= capacity.cpuMilliFree[node]!) &&
      (memMiB[node] === 0 || memMiB[node]! <= capacity.memMiBFree[node]!);
  }
  addRows(placing, shape, -1);
  return fits;
}

/** Rows of one part of whole devices name each node once. */
function devicesStillFree(capacity: Capacity, placing: Placing, gpusEach: number): boolean {
  for (let row = 0; row < placing.length; row++) {
    const node = placing.node[row]!;
    if (capacity.nodeState[node] !== NodeStateCode.open) return false;
    if (placing.members[row]! * gpusEach > capacity.gpusFree[node]!) return false;
  }
  return true;
}

function addRows(placing: Placing, shape: Shape, sign: 1 | -1): void {
  for (let row = 0; row < placing.length; row++) {
    const node = placing.node[row]!;
    const use = takenBy(shape.parts, placing, row);
    if (placing.device[row]! < 0) gpus[node] = gpus[node]! + sign * use.gpus;
    cpuMilli[node] = cpuMilli[node]! + sign * use.cpuMilli;
    memMiB[node] = memMiB[node]! + sign * use.memMiB;
  }
}

/** Whether the share or slice of a row is free, apart from other rows. */
function partFree(capacity: Capacity, part: Part, placing: Placing, row: number): boolean {
  const device = placing.device[row]!;
  const milli = placing.milli[row]!;
  const used = capacity.deviceUsed[device]!;
  const sliced = capacity.sliceUsed[device]!;
  if (milli < FIRST_SLICE) return sliced === 0 && used + milli <= WHOLE_DEVICE;
  const slices = slicesOn(part, capacity.cluster, placing.node[row]!);
  return (used === 0 || sliced !== 0) && (sliced & sliceMask(slices, milli - FIRST_SLICE)) === 0;
}
