/**
 * Half-lives of fair share. One world, six half-lives: 64 GPUs, four teams with unequal shares that always ask for more than their due; and a second
 * one of two teams, in which one has the cluster alone for four weeks, idles for one, and comes back.
 */
import { dice, mean, quantile, type Ran, runLab } from "./labRuns.ts";
import { type Study, table } from "./study.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const GPUS = 64;
const HALF_LIVES: readonly (readonly [string, number])[] = [
  ["1 h", HOUR_MS],
  ["1 d", DAY_MS],
  ["2 d", 2 * DAY_MS],
  ["7 d", 7 * DAY_MS],
  ["14 d", 14 * DAY_MS],
  ["60 d", 60 * DAY_MS],
  ["never", 0],
];
const LONG_MS = 24 * HOUR_MS;
const TEAMS = [
  { id: "vision", shares: 40 },
  { id: "speech", shares: 30 },
  { id: "robots", shares: 20 },
  { id: "theory", shares: 10 },
];
const DAYS = 84;

const cluster = { flat: true, nodeGroups: [{ id: "gpu", count: 1, gpus: GPUS }] };

/** Each team asks for so many times its due, in bursts of two days; a tenth of the jobs run for two to four days. */
function contended(demand: number): object {
  const roll = dice(11);
  const jobs: object[] = [];
  for (const { id, shares } of TEAMS) {
    const dueMs = (GPUS * shares) / 100;
    for (let day = 0; day < DAYS; day += 2) {
      let wanted = demand * dueMs * 2 * DAY_MS * (0.4 + 1.2 * roll());
      while (wanted > 0) {
        const isLong = roll() < 0.1;
        const workMs = Math.round(isLong ? LONG_MS * (2 + 2 * roll()) : HOUR_MS * (1 + 7 * roll()));
        const gpus = 2 ** Math.floor(roll() * 4);
        jobs.push({
          id: `${id}-${jobs.length}`,
          submitMs: Math.round(day * DAY_MS + roll() * DAY_MS),
          gpus,
          workMs,
          limitMs: Math.round(workMs * (1 + roll())),
          team: id,
        });
        wanted -= gpus * workMs;
      }
    }
  }
  return { cluster, teams: TEAMS, workload: { jobs } };
}

/** Mean over the weeks of half the sum of |part of GPU time − share|. */
function shareError({ world, stretches }: Ran): number {
  const errors: number[] = [];
  for (let week = 2; week < DAYS / 7; week++) {
    const used = TEAMS.map(() => 0);
    for (const { jobIdx, startMs, endMs } of stretches) {
      const from = Math.max(startMs, week * 7 * DAY_MS);
      const to = Math.min(endMs, (week + 1) * 7 * DAY_MS);
      if (to > from)
        used[world.jobs.at.team[jobIdx]!]! += (to - from) * world.jobs.at.gpuTotal[jobIdx]!;
    }
    const all = used.reduce((sum, each) => sum + each, 0);
    errors.push(
      used.reduce((sum, each, team) => sum + Math.abs(each / all - TEAMS[team]!.shares / 100), 0) /
        2,
    );
  }
  return mean(errors);
}

function waits({ world, firstStartMs }: Ran, isLong: boolean): number[] {
  const { submitMs, workQ16 } = world.jobs.at;
  const found: number[] = [];
  for (let jobIdx = 0; jobIdx < world.jobs.count; jobIdx++) {
    if (workQ16[jobIdx]! / 65_536 >= LONG_MS !== isLong) continue;
    found.push((firstStartMs[jobIdx]! - submitMs[jobIdx]!) / HOUR_MS);
  }
  return found;
}

const ALONE_DAYS = 28;
const IDLE_DAYS = 7;

/** Two teams of equal shares; `first` has the cluster alone for four weeks, idles while `second` has it, and comes back. */
function comeback(): object {
  const jobs: object[] = [];
  const batch = (team: string, fromDay: number, toDay: number): void => {
    for (let hour = fromDay * 24; hour < toDay * 24; hour += 4) {
      for (let gpu = 0; gpu < GPUS; gpu += 8) {
        jobs.push({
          id: `${team}-${jobs.length}`,
          submitMs: hour * HOUR_MS,
          gpus: 8,
          workMs: 4 * HOUR_MS,
          limitMs: 4 * HOUR_MS,
          team,
        });
      }
    }
  };
  batch("first", 0, ALONE_DAYS);
  batch("second", ALONE_DAYS, ALONE_DAYS + 40);
  batch("first", ALONE_DAYS + IDLE_DAYS, ALONE_DAYS + 40);
  return { cluster, teams: [{ id: "first" }, { id: "second" }], workload: { jobs } };
}

/** Days from its return to the first start of the team that comes back. */
function regainDays({ world, stretches }: Ran): number {
  const backMs = (ALONE_DAYS + IDLE_DAYS) * DAY_MS;
  const starts = stretches
    .filter(
      ({ jobIdx }) => world.jobs.at.team[jobIdx] === 0 && world.jobs.at.submitMs[jobIdx]! >= backMs,
    )
    .map(({ startMs }) => startMs);
  return (
    (starts.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY) - backMs) /
    DAY_MS
  );
}

/** t = h · log2(2 − 2^(−T/h)) from the day the other began, less the idle week. */
function closedDays(halfLifeMs: number): number {
  if (halfLifeMs === 0) return ALONE_DAYS - IDLE_DAYS;
  const half = halfLifeMs / DAY_MS;
  return Math.max(0, half * Math.log2(2 - 2 ** (-ALONE_DAYS / half)) - IDLE_DAYS);
}

export const halfLives: Study = {
  name: "half-lives",
  run: (_folder, say) => {
    const scarce = contended(1.3);
    const enough = contended(0.9);
    const back = comeback();
    const rows = HALF_LIVES.map(([name, halfLifeMs]) => {
      const settings = { order: "fairShare", shareOf: "team", backfill: "easy", halfLifeMs };
      const ran = runLab(enough, settings);
      const regained = regainDays(runLab(back, settings));
      const long = waits(ran, true);
      const short = waits(ran, false);
      say(`half-lives: ${name}`);
      return [
        name,
        `${(100 * shareError(runLab(scarce, settings))).toFixed(1)} %`,
        regained.toFixed(2),
        closedDays(halfLifeMs).toFixed(2),
        mean(long).toFixed(1),
        quantile(long, 0.95).toFixed(1),
        mean(short).toFixed(1),
      ];
    });
    return table(
      [
        "half-life",
        "share error a week",
        "days to regain priority",
        "closed form",
        "wait of long jobs, mean h",
        "p95 h",
        "wait of short jobs, mean h",
      ],
      rows,
    );
  },
};
