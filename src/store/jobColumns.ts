/** The columns that every table of jobs has, as plain data: id and name, tier with its mark, team and user, devices asked for. */
import { numberText } from "../base/format.ts";
import { nameOf } from "../model/jobs.ts";
import type { Stage } from "../protocol/messages.ts";
import { jobLabel, ownerText } from "../timeline/jobNames.ts";

interface JobRow {
  readonly jobIdx: number;
}

/** `tierOf`: a job may have been moved to another tier. */
export function jobColumns<Row extends JobRow>(stage: Stage, tierOf: (row: Row) => number) {
  const { jobs, tiers, teams } = stage;
  const idOf = (row: Row) => nameOf(jobs.ids, row.jobIdx);
  const teamOf = (row: Row) => {
    const team = teams[jobs.at.team[row.jobIdx]!];
    return team?.name || (team?.id ?? "") || "–";
  };
  const userOf = (row: Row) => jobs.users[jobs.at.user[row.jobIdx]!] || "–";
  return {
    job: {
      id: "job",
      label: "job",
      value: (row: Row) => row.jobIdx,
      strong: idOf,
      text: (row: Row) => jobLabel(jobs, row.jobIdx).slice(idOf(row).length).trimStart(),
    },
    tier: {
      id: "tier",
      label: "tier",
      value: tierOf,
      groups: true,
      text: (row: Row) => tiers[tierOf(row)]?.name ?? "",
      mark: (row: Row) => ({
        letter: tiers[tierOf(row)]?.letter ?? "?",
        tier: tierOf(row),
        tierCount: tiers.length,
      }),
    },
    owner: {
      id: "owner",
      label: "team · user",
      look: "quiet",
      value: (row: Row) => ownerText(stage, row.jobIdx),
      text: (row: Row) => ownerText(stage, row.jobIdx) || "–",
    },
    team: {
      id: "team",
      label: "team",
      width: "minmax(72px, 0.8fr)",
      hidden: true,
      groups: teams.length > 1,
      value: teamOf,
      text: teamOf,
    },
    user: {
      id: "user",
      label: "user",
      width: "minmax(72px, 0.8fr)",
      hidden: true,
      groups: true,
      value: userOf,
      text: userOf,
    },
    devices: {
      id: "gpus",
      label: `${stage.cluster.deviceWord}s`,
      right: true,
      value: (row: Row) => jobs.at.gpuTotal[row.jobIdx]!,
      text: (row: Row) => numberText(jobs.at.gpuTotal[row.jobIdx]!),
      sum: (total: number) => numberText(total),
    },
  } as const;
}
