/** Whether a place chosen earlier is still free: asked of reservations at every pass, so it must cost no more than their rows. */
import { NodeStateCode } from "../../model/states.ts";
import { WHOLE_DEVICE } from "../../model/units.ts";
import type { Capacity } from "./capacity.ts";
import type { Placing } from "./placing.ts";
import type { Shape } from "./shapes.ts";

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
      (device < 0 || capacity.deviceUsed[device]! + placing.milli[row]! <= WHOLE_DEVICE) &&
      (part.cpuMilli === 0 || cpuMilli[node]! <= capacity.cpuMilliFree[node]!) &&
      (part.memMiB === 0 || memMiB[node]! <= capacity.memMiBFree[node]!);
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
    const part = shape.parts[placing.part[row]!]!;
    const node = placing.node[row]!;
    const members = sign * placing.members[row]!;
    if (placing.device[row]! < 0) gpus[node] = gpus[node]! + members * part.gpus;
    cpuMilli[node] = cpuMilli[node]! + members * part.cpuMilli;
    memMiB[node] = memMiB[node]! + members * part.memMiB;
  }
}
