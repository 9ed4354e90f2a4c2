/** Whom to stop, by the settings: the unit (jobs, nodes, single devices), the choice of victims, and whether elastic jobs shrink first. */
import type { PoolView } from "../../../../engine/view.ts";
import { JobStateCode } from "../../../../model/states.ts";
import { fewestVictims } from "../../../../scheduling/preemption/fewestVictims.ts";
import { greedyVictims } from "../../../../scheduling/preemption/greedyVictims.ts";
import { type Losses, memberVictims } from "../../../../scheduling/preemption/memberVictims.ts";
import { nodeVictims } from "../../../../scheduling/preemption/nodeVictims.ts";
import type { Candidate } from "../../../../scheduling/preemption/victimChoice.ts";
import type { PreemptRules } from "./preemptionState.ts";
import type { ChanceTrial } from "./preemptionTrial.ts";

/** Victims as indexes into the candidates, taken out of the trial; null where they are not enough. */
export function chooseVictims(
  rules: PreemptRules,
  view: PoolView,
  candidates: readonly Candidate[],
  trial: ChanceTrial,
): Losses | null {
  // Jobs without a life of their own are not elastic.
  if (rules.unit === "device" || (rules.unit === "job" && view.jobs.lab.size > 0)) {
    const sizes = candidates.map(({ jobIdx }, at) => lossesOf(rules, view, jobIdx, at, trial));
    if (sizes.some((of) => of.length > 0)) {
      const found = memberVictims(sizes, trial);
      if (found !== null) return found;
    }
  }
  const whole = wholeJobs(rules, candidates, trial);
  return whole === null ? null : { members: new Map(), whole };
}

function wholeJobs(
  rules: PreemptRules,
  candidates: readonly Candidate[],
  trial: ChanceTrial,
): readonly number[] | null {
  if (rules.unit === "node") return nodeVictims(trial.nodesWithVictims(), trial);
  if (!rules.onlyIfUseful) return enoughDevices(candidates.length, trial);
  if (rules.victims !== "fewestJobs") return greedyVictims(candidates.length, trial);
  const gpusOf = candidates.map((_, at) => trial.gpusOf(at));
  return fewestVictims(candidates, gpusOf, () => trial.nodesWithVictims(), trial);
}

/** In order until so many devices are free as the job asks for, wherever they are. */
function enoughDevices(count: number, trial: ChanceTrial): readonly number[] | null {
  const taken: number[] = [];
  for (let victim = 0; victim < count && !trial.fits() && trial.missing() > 0; victim++)
    if (trial.remove(victim)) taken.push(victim);
  return taken.length > 0 && trial.missing() === 0 ? taken : null;
}

/** Numbers of members that a victim may lose, ascending; none where it gives way as a whole. */
function lossesOf(
  rules: PreemptRules,
  view: PoolView,
  jobIdx: number,
  victim: number,
  trial: ChanceTrial,
): readonly number[] {
  if (rules.modeOfTier[view.tierOfJob[jobIdx]!] === "wait") return [];
  if (view.jobState[jobIdx] !== JobStateCode.running) return [];
  const life = view.jobs.lab.get(jobIdx);
  if (rules.unit !== "device" && !life?.elastic) return [];
  const members = trial.membersOf(victim);
  if (life?.elastic && (rules.shrinkFirst || rules.unit === "device"))
    return life.elastic.allowed
      .filter((size) => size < members)
      .map((size) => members - size)
      .reverse();
  if (rules.unit !== "device") return [];
  const { at, components } = view.jobs;
  const row = at.firstComponent[jobIdx]!;
  if (at.firstComponent[jobIdx + 1]! - row !== 1) return [];
  // Below its minimum a gang hangs; one that would hang for ever gives way as a whole.
  const hangs = life !== undefined && life.collectiveTimeoutMs !== Number.POSITIVE_INFINITY;
  const least = hangs ? 1 : components.minMembers[row]!;
  return Array.from({ length: Math.max(0, members - least) }, (_, less) => less + 1);
}
