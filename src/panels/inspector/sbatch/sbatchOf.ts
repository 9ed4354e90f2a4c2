/** The form of a job that was injected into a pool under Slurm: the other way round from `sbatchDraft.ts`. What the form has no field for is carried over. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../model/units.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import type { Intervention } from "../../../scenario/schema.ts";
import type { SbatchDraft, Site } from "./sbatchDraft.ts";

type Job = Extract<Intervention, { kind: "inject" }>["job"];
type JobInput = Extract<InterventionInput, { kind: "inject" }>["job"];

const AFTER_WORDS = {
  after: "after",
  afterOk: "afterok",
  afterNotOk: "afternotok",
  afterAny: "afterany",
} as const;

export function draftOf(job: Job, site: Pick<Site, "queues" | "calendar" | "nowMs">): SbatchDraft {
  const slurm = job.slurm ?? {};
  const { minNodes, maxNodes } = slurm;
  const type = slurm.gpuType === undefined ? "" : `${slurm.gpuType}:`;
  const partitions = slurm.partitions ?? [];
  return {
    name: job.name ?? job.id,
    user: job.user ?? "",
    partition: partitions.length === 1 ? partitions[0]! : (job.queue ?? ""),
    qos: job.tier ?? "",
    account: job.team ?? "",
    nodes:
      minNodes === undefined
        ? ""
        : maxNodes === undefined || maxNodes === minNodes
          ? String(minNodes)
          : `${minNodes}-${maxNodes}`,
    gpusPerNode: slurm.gpusPerNode === undefined ? "" : `${type}${slurm.gpusPerNode}`,
    gpus: slurm.gpus === undefined ? "" : `${type}${slurm.gpus}`,
    time: job.limitMs === undefined ? "" : slurmTime(job.limitMs),
    timeMin: slurm.timeMinMs === undefined ? "" : slurmTime(slurm.timeMinMs),
    constraint: slurm.constraint ?? "",
    exclusive: slurm.exclusive === "node",
    nodelist: slurm.nodelist ?? "",
    dependency: dependencyText(job),
    begin:
      job.beginMs === undefined
        ? ""
        : `now+${Math.max(0, Math.round((job.beginMs - site.nowMs) / SECOND_MS))}`,
    hold: slurm.hold === true,
    nice: slurm.nice === undefined ? "" : String(slurm.nice),
    reservation: slurm.reservation ?? "",
    work: slurmTime(job.workMs),
  };
}

/** `1-12:00:00` or `4:00:00`, as `--time` takes it. */
export function slurmTime(ms: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  const clock = `${days > 0 ? two(hours) : hours}:${two(minutes)}:${two(seconds)}`;
  return days > 0 ? `${days}-${clock}` : clock;
}

function dependencyText({ after = [], afterAnyOf, singleton }: Job): string {
  const parts = after.map(({ job, kind, delayMs, each }) => {
    const word = each ? "aftercorr" : AFTER_WORDS[kind];
    return `${word}:${job}${delayMs > 0 ? `+${Math.round(delayMs / MINUTE_MS)}` : ""}`;
  });
  return [...parts, ...(singleton ? ["singleton"] : [])].join(afterAnyOf ? "?" : ",");
}

/** Keys that the form writes; all others of a job stay as they were. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...["id", "name", "workMs", "limitMs", "beginMs", "tier", "team", "user", "queue"],
  ...["after", "afterAnyOf", "singleton", "slurm"],
]);
const OWN_OPTIONS: ReadonlySet<string> = new Set([
  ...["partitions", "minNodes", "maxNodes", "gpusPerNode", "gpus", "gpuType", "timeMinMs"],
  ...["constraint", "exclusive", "nodelist", "hold", "nice", "reservation"],
]);

/** The job of the form with what the form does not ask for. Several partitions stand until one is chosen. */
export function withRest(job: JobInput, before: Job): JobInput {
  const options = without(before.slurm ?? {}, OWN_OPTIONS);
  const several = (before.slurm?.partitions?.length ?? 0) > 1 && job.queue === undefined;
  const partitions = several ? { partitions: before.slurm?.partitions } : {};
  return {
    ...without(before, OWN_KEYS),
    ...job,
    slurm: { ...options, ...partitions, ...job.slurm },
  } as JobInput;
}

function without(from: object, keys: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(from).filter(([key]) => !keys.has(key)));
}
