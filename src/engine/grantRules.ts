/** What a row of a grant must obey beside the ledger's books: the job's kind of devices, an open node, devices that exist. */
import { NodeStateCode } from "../model/states.ts";
import type { World } from "../model/world.ts";
import type { Grant } from "./grant.ts";
import { broken, type Ledger } from "./ledger.ts";

/** Throws when entry `i` of a grant gives component row `row` of a job other than what it asks for. O(1). */
export function checkGrantRow(
  world: World,
  ledger: Ledger,
  jobIdx: number,
  row: number,
  grant: Grant,
  i: number,
): void {
  const { components } = world.jobs;
  const node = grant.node[i]!;
  const count = grant.count[i]!;
  const part = grant.part[i]!;
  checkModel(world, row, node, jobIdx);
  if (world.jobs.lab.size > 0) checkWish(world, ledger, node, jobIdx);
  const whole = components.shareMilli[row] === 0 && components.mig[row] === 0;
  if (whole !== (part === 0))
    broken(`job ${jobIdx} asks for ${whole ? "whole devices" : "a part of a device"}`);
  if (ledger.nodeState[node] !== NodeStateCode.open)
    broken(`job ${jobIdx} was given node ${node}, which is not open`);
  if (count > 0 && (grant.first[i]! < 0 || grant.first[i]! + count > ledger.devicesOf(node)))
    broken(`node ${node} has no devices ${grant.first[i]} to ${grant.first[i]! + count}`);
  if (part !== 0 && count !== 1) broken(`job ${jobIdx} was given a part of ${count} devices`);
}

function checkModel({ cluster, jobs }: World, row: number, node: number, jobIdx: number): void {
  const wanted = jobs.components.gpuModel[row]!;
  if (wanted === 0) return;
  const model = cluster.groups[cluster.nodeGroup[node]!]!.gpuModel;
  if (model !== jobs.gpuModels[wanted - 1]) broken(`job ${jobIdx} was given GPUs of another model`);
}

function checkWish({ jobs }: World, { cluster }: Ledger, node: number, jobIdx: number): void {
  const wish = jobs.lab.get(jobIdx)?.nodes ?? null;
  if (wish === null) return;
  const group = cluster.groups[cluster.nodeGroup[node]!]!;
  for (const [label, value] of Object.entries(wish.labels)) {
    if (group.labels[label] !== value)
      broken(`job ${jobIdx} was given a node without its label ${label}`);
  }
  if (wish.models.length > 0 && !wish.models.some(({ model }) => model === group.gpuModel))
    broken(`job ${jobIdx} was given GPUs of a model that it cannot use`);
}
