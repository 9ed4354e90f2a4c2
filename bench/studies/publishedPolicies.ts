/**
 * Published policies on traces: which way each claim points here. Speeds of device models are the two ends that Gavel's paper names in its introduction
 * (a convolutional network runs about ten times as fast on a V100 as on a K80, reinforcement learning twice).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Given, mean, quantile, type Ran, runLab } from "./labRuns.ts";
import { type Study, table } from "./study.ts";

const MURI = "philly/muri_trace1.csv";
const TIRESIAS = "tiresias/60_job.csv";

interface TraceJob {
  readonly submitMs: number;
  readonly durationMs: number;
  readonly gpus: number;
  readonly model: string;
}

function readTrace(path: string, unitMs: number): TraceJob[] {
  const [head, ...lines] = readFileSync(path, "utf8").trim().split(/\r?\n/);
  const column = (name: string): number => head!.split(",").indexOf(name);
  const [submit, duration, gpus, model] = ["submit_time", "duration", "num_gpu", "model_name"].map(
    column,
  );
  return lines.map((line) => {
    const cells = line.split(",");
    return {
      submitMs: Math.round(Number(cells[submit!]) * unitMs),
      durationMs: Math.max(1_000, Math.round(Number(cells[duration!]) * unitMs)),
      gpus: Number(cells[gpus!]),
      model: cells[model!]!,
    };
  });
}

interface Machine {
  readonly groups: readonly {
    readonly id: string;
    readonly count: number;
    readonly gpus: number;
    readonly gpuModel?: string;
  }[];
}

function documentOf(
  trace: readonly TraceJob[],
  machine: Machine,
  more: (job: TraceJob, at: number) => object = () => ({}),
): object {
  const jobs = trace.map((job, at) => ({
    id: `j${at}`,
    submitMs: job.submitMs,
    gpus: job.gpus,
    workMs: job.durationMs,
    limitMs: job.durationMs,
    ...more(job, at),
  }));
  return {
    cluster: { nodeGroups: machine.groups },
    workload: { jobs },
  };
}

interface Scores {
  readonly jctHours: number;
  readonly waitHours: number;
  /** Finish-time fairness: from submission to end, over the duration alone. */
  readonly rhoMean: number;
  readonly rhoP99: number;
  readonly rhoMax: number;
  readonly makespanHours: number;
  readonly evictions: number;
}

function scoresOf(ran: Ran, trace: readonly TraceJob[]): Scores {
  const jct = trace.map(({ submitMs }, at) => ran.lastEndMs[at]! - submitMs);
  const rho = trace.map(({ durationMs }, at) => jct[at]! / durationMs);
  const wait = trace.map(({ durationMs }, at) => jct[at]! - durationMs);
  return {
    jctHours: mean(jct) / 3_600_000,
    waitHours: mean(wait) / 3_600_000,
    rhoMean: mean(rho),
    rhoP99: quantile(rho, 0.99),
    rhoMax: Math.max(...rho),
    makespanHours: Math.max(...ran.lastEndMs) / 3_600_000,
    evictions: ran.evictions,
  };
}

const POLICIES = (
  roundMs: number,
  attainedHours: number,
): readonly (readonly [string, Given])[] => [
  ["FIFO, strict", { order: "fcfs", backfill: "none" }],
  ["FIFO, skipping", { order: "fcfs", backfill: "skip" }],
  ["shortest first (durations known)", { order: "shortest", backfill: "skip" }],
  ["smallest first", { order: "smallest", backfill: "skip" }],
  ["least attained service", { order: "leastAttained", backfill: "skip", roundMs }],
  ["Tiresias, 2 queues", { order: "tiresias", backfill: "skip", roundMs, attainedHours }],
  ["Themis", { order: "themis", backfill: "skip", roundMs }],
];

function compare(
  trace: readonly TraceJob[],
  machine: Machine,
  roundMs: number,
  attainedHours: number,
  say: (line: string) => void,
): string {
  const rows = POLICIES(roundMs, attainedHours).map(([name, settings]) => {
    const scores = scoresOf(runLab(documentOf(trace, machine), settings), trace);
    say(`published-policies: ${name}`);
    return [
      name,
      scores.jctHours.toPrecision(4),
      scores.waitHours.toPrecision(4),
      scores.rhoMean.toFixed(1),
      scores.rhoP99.toFixed(1),
      scores.rhoMax.toFixed(1),
      scores.makespanHours.toFixed(1),
      scores.evictions,
    ];
  });
  return table(
    [
      "policy",
      "mean JCT, h",
      "mean delay, h",
      "mean ρ",
      "p99 ρ",
      "worst ρ",
      "makespan, h",
      "stops",
    ],
    rows,
  );
}

const CONVOLUTIONAL = new Set(["vgg16", "vgg19", "resnet18", "shufflenet_v2_x1_0"]);

/** Gavel: half of the devices fast, half slow. A job's duration is what it takes on the fast ones. */
function gavel(trace: readonly TraceJob[], say: (line: string) => void): string {
  const machine = {
    groups: [
      { id: "slow", count: 24, gpus: 8, gpuModel: "K80" },
      { id: "fast", count: 8, gpus: 8, gpuModel: "V100" },
    ],
  };
  // On the slow model a job may take ten times as long: nobody is to be stopped at a limit.
  const withSpeeds = (job: TraceJob): object => ({
    limitMs: 20 * job.durationMs,
    gpuModels: [
      { model: "V100", speed: 1 },
      { model: "K80", speed: CONVOLUTIONAL.has(job.model) ? 0.1 : 0.5 },
    ],
  });
  const document = documentOf(trace, machine, withSpeeds);
  const roundMs = 3_600_000;
  const rows = (
    [
      ["FIFO, skipping", { order: "fcfs", backfill: "skip" }],
      [
        "least attained service, fastest free model",
        { order: "leastAttained", backfill: "skip", roundMs },
      ],
      [
        "max-min, blind to models",
        { order: "gavel", backfill: "skip", roundMs, speedsKnown: false },
      ],
      ["Gavel", { order: "gavel", backfill: "skip", roundMs }],
    ] as const
  ).map(([name, settings]) => {
    const scores = scoresOf(runLab(document, settings), trace);
    say(`published-policies: ${name} on two models`);
    return [
      name,
      scores.jctHours.toFixed(1),
      scores.rhoP99.toFixed(1),
      scores.makespanHours.toFixed(0),
      scores.evictions,
    ];
  });
  return table(["policy", "mean JCT, h", "p99 ρ", "makespan, h", "stops"], rows);
}

export const publishedPolicies: Study = {
  name: "published-policies",
  traces: [MURI, TIRESIAS],
  run: (folder, say) => {
    const philly = readTrace(join(folder, MURI), 1);
    const small = readTrace(join(folder, TIRESIAS), 1_000);
    return [
      "### Philly (1,494 jobs) on 20 nodes of 8 GPUs, rounds of six minutes",
      compare(philly, { groups: [{ id: "gpu", count: 20, gpus: 8 }] }, 360_000, 10, say),
      "### Tiresias' 60 jobs on 2 nodes of 4 GPUs, rounds of ten seconds",
      compare(small, { groups: [{ id: "gpu", count: 2, gpus: 4 }] }, 10_000, 0.1, say),
      "### Two device models: the same Philly jobs on 24 slow and 8 fast nodes, rounds of an hour",
      gavel(philly, say),
    ].join("\n\n");
  },
};
