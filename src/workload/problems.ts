/** Problems that several steps of the expansion report. */
import type { Problem } from "../base/problem.ts";
import { LIMITS } from "../model/limits.ts";

export function unknownJob(id: string, place: string): Problem {
  return {
    place,
    message: `There is no job "${id}".`,
    remedy: "Use the id of a job of this scenario.",
  };
}

export function tooManyJobs(count: number): Problem {
  return {
    place: "/workload",
    message: `The workload has ${count} jobs; at most ${LIMITS.jobs} are accepted.`,
    remedy: "Shorten the horizon, lower the arrival rates, or take a part of the trace.",
  };
}

/** `what`: "GPU models" or "MIG profiles". */
export function tooManyNames(what: string, count: number): Problem {
  return {
    place: "/workload/jobs",
    message: `The jobs ask for ${count} different ${what}; at most ${LIMITS.namesAsked} are accepted.`,
    remedy: "Ask for those that the node groups have.",
  };
}

export function twinJob(id: string): Problem {
  return {
    place: "/workload",
    message: `A job of the trace or of a drawn class is called "${id}" too.`,
    remedy: "Give the job that is spelled out another id.",
  };
}

export function tooManyDependencies(place: string): Problem {
  return {
    place,
    message: `The jobs wait for each other ${LIMITS.dependencies} times and more, members of arrays counted one by one.`,
    remedy:
      "Let one job stand between two large arrays: it waits for the first, the second for it.",
  };
}

/** A run is cut off here rather than trusted: beyond it times lose their milliseconds and no picture shows anything. */
export function tooLongRun(): Problem {
  return {
    place: "/horizonMs",
    message: "The run goes on for more than 40 years of simulated time.",
    remedy: "Give the scenario a horizon, or shorten its jobs.",
  };
}
