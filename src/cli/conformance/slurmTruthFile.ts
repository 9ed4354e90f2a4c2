/**
 * A recording of schema `slurm-truth/1`, as it stands in the file. What a scenario asks for (jobs, commands, configuration) is read
 * strictly: a field that is not known fails the file by its name. What came out is read loosely: fields beside those checked may be there.
 */
import * as z from "zod/mini";
import { problemOfIssue } from "../../scenario/issues.ts";

z.config({ jitless: true });

const text = z.string();
const number = z.number();
const maybe = <T extends z.core.$ZodType>(type: T) => z.optional(z.nullable(type));
const lines = z.array(text);
const texts = z.union([text, lines]);
const flag = z.union([z.boolean(), z.literal(0), z.literal(1)]);
const countOrRange = z.union([number, text]);

const job = z.strictObject({
  id: text,
  user: text,
  account: maybe(text),
  partition: maybe(texts),
  qos: maybe(text),
  jobName: maybe(text),
  submitSec: number,
  nodes: maybe(countOrRange),
  ntasks: maybe(number),
  ntasksPerNode: maybe(number),
  cpusPerTask: maybe(number),
  gpus: maybe(number),
  gpusPerNode: maybe(number),
  gpusPerTask: maybe(number),
  timeLimitSec: maybe(number),
  timeMinSec: maybe(number),
  runtimeSec: number,
  nice: maybe(number),
  priority: maybe(number),
  exclusive: maybe(z.union([z.boolean(), text])),
  oversubscribe: maybe(flag),
  contiguous: maybe(flag),
  features: maybe(text),
  dependency: maybe(text),
  begin: maybe(z.union([text, number])),
  array: maybe(text),
  reservation: maybe(text),
  nodelist: maybe(texts),
  exclude: maybe(texts),
  switches: maybe(countOrRange),
  requeue: maybe(flag),
  hold: maybe(flag),
  exit: maybe(number),
});

const command = z.strictObject({ atSec: number, cmd: text });

const segment = z.looseObject({
  startSec: maybe(number),
  startSecRunB: maybe(number),
  endSec: maybe(number),
  endSecRunB: maybe(number),
  nodes: maybe(lines),
  gpuIdx: maybe(z.record(text, z.array(number))),
  endState: maybe(text),
  partition: maybe(text),
  suspendedSec: maybe(number),
  suspendedSecRunB: maybe(number),
});

const result = z.looseObject({
  submitSec: maybe(number),
  finalState: maybe(text),
  restarts: maybe(number),
  neverRan: maybe(text),
  segments: maybe(z.array(segment)),
  pendingReasons: maybe(
    z.array(z.looseObject({ reason: text, fromSec: number, toSec: maybe(number) })),
  ),
  lastSubmitSec: maybe(number),
  lastSubmitSecRunB: maybe(number),
});

const output = z.looseObject({ offsetSec: number, kind: text, what: text, output: maybe(text) });
const outputs = z.array(output);

/** A number as `sprio`, `sshare` print it; `"inf"` and null stand among them. */
const cell = z.unknown();
const snapshot = z.looseObject({
  offsetSec: number,
  sshare: maybe(z.array(z.record(text, cell))),
  sprio: maybe(z.array(z.record(text, cell))),
  sprioNormalised: maybe(z.array(z.record(text, cell))),
  squeue: maybe(lines),
});

const recording = z.looseObject({
  schema: z.literal("slurm-truth/1"),
  scenario: text,
  cluster: z.looseObject({}),
  config: z.strictObject({
    slurmConf: lines,
    nodes: lines,
    partitions: lines,
    gresConf: maybe(lines),
    topologyConf: maybe(texts),
    sacctmgr: maybe(lines),
  }),
  toleranceSec: number,
  jobs: z.array(job),
  commands: maybe(z.array(command)),
  results: z.record(text, result),
  unstable: maybe(lines),
  commandOutput: maybe(z.looseObject({ runA: maybe(outputs), runB: maybe(outputs) })),
  snapshots: maybe(
    z.looseObject({ runA: maybe(z.array(snapshot)), runB: maybe(z.array(snapshot)) }),
  ),
  snapshotDifferences: maybe(z.record(text, lines)),
  limitCheckPhaseSec: maybe(z.looseObject({ runA: maybe(number), runB: maybe(number) })),
  runsAgreeUntilSec: maybe(number),
});

export type TruthJob = z.output<typeof job>;
export type TruthSegment = z.output<typeof segment>;
export type TruthResult = z.output<typeof result>;
export type TruthSnapshot = z.output<typeof snapshot>;
export type Recording = z.output<typeof recording>;

/** Throws with the place and name of what is not understood. */
export function readRecording(content: unknown): Recording {
  const read = recording.safeParse(content, { reportInput: true });
  if (read.success) return read.data;
  const said = read.error.issues.map(problemOfIssue).map((one) => `${one.place}: ${one.message}`);
  throw new Error(`the recording is not understood: ${said.join("; ")}`);
}

/** The moment from which the two runs differ (s); what happens there or later is not checked. */
export function agreedUntilSec(truth: Recording): number {
  return truth.runsAgreeUntilSec ?? Number.POSITIVE_INFINITY;
}

/** The last moment of the recording (s): nothing is known of what came later. */
export function lastMomentSec(truth: Recording): number {
  let last = 0;
  const see = (sec: number | null | undefined) => {
    if (typeof sec === "number" && sec > last) last = sec;
  };
  for (const one of Object.values(truth.results)) {
    for (const run of one.segments ?? []) {
      see(run.startSec);
      see(run.endSec);
    }
    // The records of arrays have a meaningless end, but not one after the recording.
    for (const reason of one.pendingReasons ?? []) see(reason.toSec);
  }
  for (const said of truth.commandOutput?.runA ?? []) see(said.offsetSec);
  for (const one of truth.jobs) see(one.submitSec);
  return last;
}
