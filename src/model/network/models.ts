/**
 * Models whose steps were measured packed and apart. `stepMs` is measured (packed on two V100; on one GPU of AdaptDL's cluster); the bytes of the all-reduce and
 * ring or tree are fitted to the three measured ratios of each, so that most come within 10 %, then by least squares: they are the bytes that do not hide
 * behind computing, so `overlap` is 0, at the rates of the two clusters below. The number after the name is the batch size. What is met and what is not is in
 * `docs/studies/network.md`; some ratios are above 1, which no model of this kind has. Order is random: AdaptDL's pods are ranked as they come.
 * Source: stanford-futuredata/gavel, simulation_throughputs.json (Narayanan et al., OSDI 2020); petuum/adaptdl, osdi21-artifact (Qiao et al., OSDI 2021).
 */
import type { Traffic } from "../lab/jobLife.ts";
import type { Network } from "../lab/services.ts";

/** Rates that the fits assume, not measured: NVLink of a V100, PCIe of a T4, 10 Gb/s between nodes of one card. Latencies cannot be told apart from these data. */
export const MEASURED_NETWORKS = {
  gavel: measuredNetwork(150),
  adaptdl: measuredNetwork(12),
} as const;

const MODELS = {
  "lm-5": { stepMs: 5.384, allReduceGiB: 0.02565, algorithm: "ring" },
  "lm-10": { stepMs: 6.13, allReduceGiB: 0.02876, algorithm: "ring" },
  "lm-20": { stepMs: 7.566, allReduceGiB: 0.03161, algorithm: "ring" },
  "lm-40": { stepMs: 10.918, allReduceGiB: 0.04053, algorithm: "ring" },
  "lm-80": { stepMs: 17.214, allReduceGiB: 0.04063, algorithm: "ring" },
  "resnet18-16": { stepMs: 9.986, allReduceGiB: 0.01904, algorithm: "ring" },
  "resnet18-32": { stepMs: 10.61, allReduceGiB: 0.01399, algorithm: "tree" },
  "resnet18-64": { stepMs: 13.489, allReduceGiB: 0.02484, algorithm: "ring" },
  "resnet18-128": { stepMs: 41.692, allReduceGiB: 0.03491, algorithm: "ring" },
  "resnet18-256": { stepMs: 62.961, allReduceGiB: 0.01592, algorithm: "ring" },
  "resnet50-16": { stepMs: 72.151, allReduceGiB: 0.01767, algorithm: "tree" },
  "resnet50-32": { stepMs: 92.297, allReduceGiB: 0.006251, algorithm: "tree" },
  "resnet50-64": { stepMs: 126.229, allReduceGiB: 0.003627, algorithm: "tree" },
  "resnet50-128": { stepMs: 236.798, allReduceGiB: 1e-5, algorithm: "ring" },
  "transformer-16": { stepMs: 70.652, allReduceGiB: 0.05107, algorithm: "ring" },
  "transformer-32": { stepMs: 75.03, allReduceGiB: 0.06184, algorithm: "ring" },
  "transformer-64": { stepMs: 62.986, allReduceGiB: 0.07929, algorithm: "ring" },
  "transformer-128": { stepMs: 99.313, allReduceGiB: 0.06017, algorithm: "tree" },
  "transformer-256": { stepMs: 346.596, allReduceGiB: 0.0977, algorithm: "ring" },
  "bert-8": { stepMs: 703.26, allReduceGiB: 0.4363, algorithm: "tree" },
  "imagenet-81": { stepMs: 420.71, allReduceGiB: 0.02405, algorithm: "ring" },
  "cifar10-182": { stepMs: 137.22, allReduceGiB: 0.01616, algorithm: "ring" },
  "deepspeech2-28": { stepMs: 850.9, allReduceGiB: 0.05502, algorithm: "tree" },
  "ncf-1025": { stepMs: 8.66, allReduceGiB: 0.003195, algorithm: "tree" },
  "yolov3-8": { stepMs: 326.15, allReduceGiB: 0.1663, algorithm: "tree" },
} as const satisfies Record<string, Pick<Traffic, "stepMs" | "allReduceGiB" | "algorithm">>;

export type MeasuredModel = keyof typeof MODELS;
export const MEASURED_MODELS = Object.keys(MODELS) as [MeasuredModel, ...MeasuredModel[]];

export function measuredTraffic(model: MeasuredModel): Traffic {
  return { ...MODELS[model], order: "random", overlap: 0 };
}

function measuredNetwork(nvlinkGBps: number): Network {
  return {
    nvlinkGBps,
    nvlinkMicros: 0,
    nicGBps: 1.25,
    nicMicros: 0,
    nicsPerNode: 1,
    rails: true,
    oversubscription: 1,
  };
}
