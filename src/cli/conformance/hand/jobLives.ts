/**
 * Lives of single jobs in words: a time limit with checkpoints, an elastic job that loses nodes, a victim that never leaves, a gang that loses a node.
 * "Never" of a job that repeats itself is not run: it has no end.
 */
import type { FieldCase } from "../fieldCaseFile.ts";
import { MINUTE_MS } from "../fieldCaseScenario.ts";
import { endOf, type HandRun, jobOf, labOf, runDocument, startsOf } from "./runDocument.ts";
import { jobsInWords, numberIn, type Statement, side, textOf } from "./statement.ts";

/** Longer than any case. */
const FOR_EVER_MIN = 1_000_000;

export function jobLives(one: FieldCase): Statement[] {
  return [...limitAndCheckpoint(one), ...elasticLoss(one), ...hangingVictim(one), ...gangLoss(one)];
}

const LIMITED = /work (\d+) min, limit (\d+) min(?:, restart cost (\d+) min)?/;

function limitAndCheckpoint(one: FieldCase): Statement[] {
  const [, work, limit, restart = "0"] = LIMITED.exec(jobsInWords(one)) ?? [];
  const expected = side(one, "expected");
  const every = numberIn(textOf(expected["policy"]), /every (\d+) min/);
  if (work === undefined || every === undefined) return [];
  const run = (onSignal: boolean) => {
    const checkpoint = {
      every: every * MINUTE_MS,
      restoreMs: Number(restart) * MINUTE_MS,
      onSignal,
    };
    const more = { limitMs: Number(limit) * MINUTE_MS, requeueAtLimit: true, checkpoint };
    return runDocument({
      cluster: { nodeGroups: [{ id: "pool", count: 1, gpus: 1 }] },
      pools: labOf({}),
      workload: { jobs: [jobOf({ id: "job", workMin: Number(work), more })] },
    });
  };
  const periodic = run(false);
  const statements: Statement[] = [];
  if (typeof expected["end"] === "number")
    statements.push({ name: "end", expected: expected["end"], came: endOf(periodic, "job") });
  for (const [name, said] of Object.entries(expected)) {
    const attempt = Number(/^attempt(\d+)$/.exec(name)?.[1]);
    const [, from, to] = /^(\d+)-(\d+)/.exec(textOf(said)) ?? [];
    if (Number.isNaN(attempt) || from === undefined) continue;
    const row = periodic.rows[attempt - 1];
    const came = row === undefined ? "none" : `${row.startMs / MINUTE_MS}-${row.endMs / MINUTE_MS}`;
    statements.push({ name, expected: `${from}-${to}`, came });
  }
  const saving = expected["with_save_at_signal"] as Record<string, unknown> | undefined;
  if (typeof saving?.["end"] === "number") {
    const came = endOf(run(true), "job");
    statements.push({ name: "end with a save at the signal", expected: saving["end"], came });
  }
  return statements;
}

const ELASTIC = /elastic min (\d+) max (\d+), work (\d+(?:\.\d+)?) node-min.*?\bat (\d+)\b/;

function elasticLoss(one: FieldCase): Statement[] {
  const [, min, max, work, at] = ELASTIC.exec(jobsInWords(one)) ?? [];
  const { nodes = [] } = one.scenario.cluster;
  const expected = side(one, "expected");
  const words = Object.values({ ...side(one, "observed"), ...expected })
    .map(textOf)
    .join("; ");
  const pause =
    numberIn(words, /(\d+(?:\.\d+)?) min pause/) ?? numberIn(words, /pause (\d+(?:\.\d+)?)/);
  if (work === undefined || pause === undefined || nodes.length < Number(max)) return [];
  const elastic = {
    minMembers: Number(min),
    maxMembers: Number(max),
    restart: "horovod",
    rendezvousMs: pause * MINUTE_MS,
  };
  return Object.entries(expected).flatMap(([name, said]) => {
    const lost = Number(/^lose_(\d+)_end$/.exec(name)?.[1]);
    if (Number.isNaN(lost) || typeof said !== "number") return [];
    const gone = nodes.slice(Number(max) - lost, Number(max)).map(({ id }) => id);
    const run = runDocument({
      cluster: { nodeGroups: nodes.map(({ id }) => ({ id, names: id, count: 1, gpus: 1 })) },
      pools: labOf({}),
      workload: {
        jobs: [
          jobOf({
            id: "job",
            members: Number(max),
            workMin: Number(work) / Number(max),
            ownNode: true,
            more: { elastic },
          }),
        ],
      },
      interventions: [{ atMs: Number(at) * MINUTE_MS, kind: "fail", nodes: gone, noticed: true }],
    });
    return [{ name, expected: said, came: endOf(run, "job") }];
  });
}

function hangingVictim(one: FieldCase): Statement[] {
  const words = jobsInWords(one);
  const victims = [...words.matchAll(/(\w+) on (\w+) \(([^)]*)\)/g)];
  const [, high, gpus, at] = /(\w+) (\d+) GPUs? at (\d+)/.exec(words) ?? [];
  const expected = side(one, "expected");
  const expires = numberIn(textOf(expected["policy"]), /expires after (\d+) min/);
  const grace = numberIn(words, /after (\d+) min/);
  const { nodes = [] } = one.scenario.cluster;
  const said = expected[`${high}_start`];
  if (victims.length === 0 || high === undefined || expires === undefined || grace === undefined)
    return [];
  if (typeof said !== "number") return [];
  const lows = victims.map(([, id, , how]) =>
    jobOf({
      id: id!,
      gpus: nodes[0]?.gpus ?? 0,
      workMin: FOR_EVER_MIN,
      more: {
        tier: "low",
        ...(/hang/.test(how!) ? { hangsOnEndMs: FOR_EVER_MIN * MINUTE_MS } : {}),
      },
    }),
  );
  const run = runDocument({
    cluster: {
      nodeGroups: nodes.map((node) => ({ id: node.id, names: node.id, count: 1, gpus: node.gpus })),
    },
    tiers: ["high", "low"].map((id) => ({ id, name: id, letter: id[0]!.toUpperCase() })),
    pools: labOf({
      preemption: "graceful",
      graceMs: grace * MINUTE_MS,
      giveUpMs: Math.max(0, expires - grace) * MINUTE_MS,
      placement: "firstFit",
    }),
    workload: {
      jobs: [
        ...lows,
        jobOf({
          id: high,
          atMin: Number(at),
          gpus: Number(gpus),
          workMin: 1,
          more: { tier: "high" },
        }),
      ],
    },
  });
  return [{ name: `${high}_start`, expected: said, came: startsOf(run, high)[0] ?? "never" }];
}

const GANG =
  /(\w+): gang of (\d+) x (\d+) GPUs? from (\d+), runtime (\d+).*?node (\w+) down (\d+)-(\d+); (\w+): (\d+) GPUs?, runtime (\d+), submitted (\d+)/;

/** A gang that keeps its place while a node is away: without the node it makes no progress, and its end says when it went on. */
function gangLoss(one: FieldCase): Statement[] {
  const found = GANG.exec(jobsInWords(one));
  const { nodes = [] } = one.scenario.cluster;
  const expected = side(one, "expected");
  if (found === null || !/below its minimum is completed/.test(textOf(expected["policy"])))
    return [];
  const [, gang = "", members, gpus, from, work, node = "", downMin, upMin, other = ""] = found;
  const [otherGpus, otherWork, otherAt] = found.slice(10);
  const size = Number(members);
  const elastic = { minMembers: size, maxMembers: size, restart: "horovod", rendezvousMs: 0 };
  const run: HandRun = runDocument({
    cluster: { nodeGroups: nodes.map(({ id, gpus: g }) => ({ id, names: id, count: 1, gpus: g })) },
    pools: labOf({}),
    workload: {
      jobs: [
        jobOf({
          id: gang,
          atMin: Number(from),
          members: size,
          gpus: Number(gpus),
          workMin: Number(work),
          more: { elastic },
        }),
        jobOf({
          id: other,
          atMin: Number(otherAt),
          gpus: Number(otherGpus),
          workMin: Number(otherWork),
        }),
      ],
    },
    interventions: [
      { atMs: Number(downMin) * MINUTE_MS, kind: "fail", nodes: [node], noticed: true },
      { atMs: Number(upMin) * MINUTE_MS, kind: "resume", nodes: [node] },
    ],
  });
  const pause = endOf(run, gang) - Number(from) - Number(work);
  const statements: Statement[] = [];
  if (typeof expected[`${gang}_resumes`] === "number")
    statements.push({
      name: `${gang}_resumes`,
      expected: expected[`${gang}_resumes`] as number,
      came: Number(downMin) + pause,
    });
  if (typeof expected["wasted_gpu_minutes"] === "number")
    statements.push({
      name: "wasted_gpu_minutes",
      expected: expected["wasted_gpu_minutes"],
      came: pause * (size - 1) * Number(gpus),
    });
  if (/^after /.test(textOf(expected[`${other}_start`])))
    statements.push({
      name: `${other} starts after ${gang}`,
      expected: true,
      came: (startsOf(run, other)[0] ?? 0) >= endOf(run, gang),
    });
  return statements;
}
