/**
 * Measured effects of placement: how models that are packed compare with the same apart. Gavel gives throughput apart ÷ packed for 2, 4 and 8 V100, one a server; AdaptDL
 * step time apart ÷ packed for 1+1, 2+2 and 1+1+1+1. Sources as in `src/model/network/models.ts`.
 */
import type { Traffic } from "../../src/model/lab/jobLife.ts";
import type { Network } from "../../src/model/lab/services.ts";
import { type Ground, packedGang } from "../../src/model/network/gang.ts";
import {
  MEASURED_NETWORKS,
  type MeasuredModel,
  measuredTraffic,
} from "../../src/model/network/models.ts";
import { aloneStepMs } from "../../src/model/network/stepTime.ts";

type Three = readonly [number, number, number];

/** Throughput apart ÷ packed, of 2, 4 and 8 GPUs. */
export const GAVEL: readonly (readonly [MeasuredModel, Three])[] = [
  ["lm-5", [0.2173, 0.3543, 0.1046]],
  ["lm-10", [0.2154, 0.3113, 0.1065]],
  ["lm-20", [0.2303, 0.3009, 0.1184]],
  ["lm-40", [0.2317, 0.3038, 0.1448]],
  ["lm-80", [0.3055, 0.3563, 0.2072]],
  ["resnet18-16", [0.3529, 0.3277, 0.1683]],
  ["resnet18-32", [0.3466, 0.3322, 0.1859]],
  ["resnet18-64", [0.4246, 0.4008, 0.2469]],
  ["resnet18-128", [1.0219, 0.5055, 0.3772]],
  ["resnet18-256", [1.2405, 1.088, 0.6608]],
  ["resnet50-16", [0.7244, 0.6424, 0.9052]],
  ["resnet50-32", [0.8283, 0.9334, 0.9486]],
  ["resnet50-64", [0.8667, 1.1782, 1.1418]],
  ["resnet50-128", [1.0263, 1.0679, 1.3546]],
  ["transformer-16", [0.627, 0.5791, 0.2765]],
  ["transformer-32", [0.6542, 0.524, 0.2989]],
  ["transformer-64", [0.4412, 0.5377, 0.3426]],
  ["transformer-128", [0.5014, 0.5491, 0.4219]],
  ["transformer-256", [0.7738, 0.7692, 0.6997]],
];

/** Step time of 1+1 ÷ 2, 2+2 ÷ 4, 1+1+1+1 ÷ 4. */
export const ADAPTDL: readonly (readonly [MeasuredModel, Three])[] = [
  ["bert-8", [1.964, 2.8303, 1.7659]],
  ["imagenet-81", [1.0074, 1.2278, 0.97]],
  ["cifar10-182", [1.0219, 1.2859, 1.1901]],
  ["deepspeech2-28", [1.091, 1.2331, 1.0658]],
  ["ncf-1025", [1.878, 1.9364, 1.5539]],
  ["yolov3-8", [2.2712, 2.4765, 1.5636]],
];

/** Step time of so many GPUs on each node ÷ that of all on one. */
export function slowdown(model: MeasuredModel, network: Network, nodes: readonly number[]): number {
  const traffic = measuredTraffic(model);
  const gpus = nodes.reduce((sum, count) => sum + count, 0);
  const each = nodes[0]!;
  const apart = stepOf(traffic, network, nodes.length, each);
  return apart / stepOf(traffic, network, 1, gpus);
}

function stepOf(traffic: Traffic, network: Network, nodes: number, gpusEach: number): number {
  const ground: Ground = {
    gpusPerNode: 8,
    nodesPerDomain: 1,
    nodesPerLeaf: 8,
    nodesPerSpine: 8,
    nvswitch: true,
  };
  const gang = packedGang([{ members: nodes, gpusEach, ownNode: true }], ground, 1);
  return aloneStepMs(gang, traffic, network);
}

/** Ratios by the model, in the form of each source. */
export function modelled(from: "gavel" | "adaptdl", model: MeasuredModel): Three {
  const network = MEASURED_NETWORKS[from];
  if (from === "adaptdl")
    return [
      slowdown(model, network, [1, 1]),
      slowdown(model, network, [2, 2]),
      slowdown(model, network, [1, 1, 1, 1]),
    ];
  const apart = (gpus: number) => 1 / slowdown(model, network, new Array(gpus).fill(1));
  return [apart(2), apart(4), apart(8)];
}

/** Within 10 % of the measurement. */
export function isMet(model: number, measured: number): boolean {
  return Math.abs(model / measured - 1) <= 0.1;
}
