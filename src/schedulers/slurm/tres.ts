/** Trackable resources (TRES) of requests, allocations and partitions, by the names that limits and priorities use. */
import { hasBit } from "../../base/bits.ts";
import type { TresAmounts } from "../../model/slurm/config.ts";
import { billableTres, billingTres } from "../../scheduling/accounting/billing.ts";
import type { Choice } from "./select/choice.ts";
import type { SlurmNodes } from "./select/nodes.ts";
import type { Wanted } from "./select/wanted.ts";

/** What a job asks for at least (`tres_req_cnt`). `billing` by the weights of its partition. */
export function requestedTres(
  nodes: SlurmNodes,
  wanted: Wanted,
  weights: TresAmounts | null,
  maxTres: boolean,
): TresAmounts {
  const gpus = Math.max(wanted.gpus, wanted.gpusPerNode * wanted.minNodes);
  const memMiB = Math.max(
    wanted.memPerNodeMiB * wanted.minNodes,
    wanted.memPerCpuMiB * wanted.minCpus,
    wanted.memPerGpuMiB * gpus,
  );
  const amounts: Record<string, number> = {
    cpu: wanted.minCpus,
    mem: memMiB,
    node: wanted.minNodes,
    "gres/gpu": gpus,
  };
  if (wanted.gpuType >= 0) amounts[`gres/gpu:${nodes.gpuTypes[wanted.gpuType]}`] = gpus;
  amounts.billing = billingTres(billableTres(amounts, weights, maxTres));
  return amounts;
}

/** What an allocation holds (`tres_alloc_cnt`), without `billing`. O(nodes of the job). */
export function allocatedTres(nodes: SlurmNodes, choice: Choice): Record<string, number> {
  let cpu = 0;
  let gpus = 0;
  let memMiB = 0;
  for (let row = 0; row < choice.length; row++) {
    cpu += choice.cpus[row]!;
    gpus += choice.gpus[row]!;
    memMiB += choice.memMiB[row]!;
  }
  const amounts: Record<string, number> = { cpu, mem: memMiB, node: choice.length };
  amounts["gres/gpu"] = gpus;
  for (let type = 0; type < choice.types; type++) {
    if (nodes.gpuTypes[type] === "") continue;
    let count = 0;
    for (let row = 0; row < choice.length; row++)
      count += choice.byType[row * choice.types + type]!;
    amounts[`gres/gpu:${nodes.gpuTypes[type]}`] = count;
  }
  return amounts;
}

/** All of a partition. O(nodes). */
export function tresOfNodes(
  nodes: SlurmNodes,
  set: Int32Array,
  weights: TresAmounts | null,
): TresAmounts {
  const amounts: Record<string, number> = { cpu: 0, mem: 0, node: 0, "gres/gpu": 0 };
  const add = (name: string, amount: number): void => {
    amounts[name] = (amounts[name] ?? 0) + amount;
  };
  for (let node = 0; node < nodes.count; node++) {
    if (!hasBit(set, node)) continue;
    add("cpu", nodes.cpus[node]!);
    add("mem", nodes.memMiB[node]!);
    add("node", 1);
    add("gres/gpu", nodes.gpus[node]!);
    nodes.gpuTypes.forEach((type, at) => {
      if (type !== "") add(`gres/gpu:${type}`, nodes.typeCount[at * nodes.count + node]!);
    });
  }
  amounts.billing = billingTres(billableTres(amounts, weights, false));
  return amounts;
}
