import { describe, expect, it } from "vitest";
import type { SlurmLimits } from "../../../src/model/slurm/config.ts";
import {
  type LimitJob,
  type LimitUsage,
  onChangeQos,
  onEnd,
  onLeave,
  onStart,
  onSubmit,
  setAccruing,
} from "../../../src/scheduling/limits/books.ts";
import {
  mayAccrue,
  pendingReason,
  postSelectReason,
  reserveThreshold,
} from "../../../src/scheduling/limits/policy.ts";
import { booksOf, gpus, jobOf, type LimitWorld, MINUTE, NO_USAGE } from "./limitWorld.ts";

/** The word for bob's job (4 GPUs, 10 minutes) while alice of the same account runs one of 6 GPUs. */
function wordFor(
  world: LimitWorld,
  {
    runner = "alice",
    usage = NO_USAGE,
    qos = 0,
    want = gpus(4) as Record<string, number>,
    limitMs = 10 * MINUTE,
  } = {},
): string | null {
  const books = booksOf(world);
  const runs = jobOf(runner, { qos });
  onSubmit(books, runs);
  onStart(books, runs, gpus(6), 0);
  const waits = jobOf("bob", { qos, limitMs });
  onSubmit(books, waits);
  return pendingReason(books, waits, usage) ?? postSelectReason(books, waits, want, usage);
}

function spent(minutes: number, wallMs = 0): LimitUsage {
  return {
    ...NO_USAGE,
    assocTresMins: () => minutes,
    qosTresMins: () => minutes,
    assocWallMs: () => wallMs,
    qosWallMs: () => wallMs,
  };
}

describe("limits of a QOS", () => {
  const reached: readonly [string, SlurmLimits, string, object?][] = [
    ["GrpJobs", { grpJobs: 1 }, "QOSGrpJobsLimit"],
    ["GrpWall", { grpWallMs: 5 * MINUTE }, "QOSGrpWallLimit", { usage: spent(0, 5 * MINUTE) }],
    ["MaxJobsPerAccount", { maxJobsPerAccount: 1 }, "MaxJobsPerAccount"],
    ["MaxJobsPerUser", { maxJobsPerUser: 1 }, "QOSMaxJobsPerUserLimit", { runner: "bob" }],
    ["MaxWall", { maxWallMs: 2 * MINUTE }, "QOSMaxWallDurationPerJobLimit"],
    ["GrpTRES=cpu", { grpTres: { cpu: 9 } }, "QOSGrpCpuLimit"],
    ["GrpTRES=mem", { grpTres: { mem: 1999 } }, "QOSGrpMemLimit"],
    ["GrpTRES=node", { grpTres: { node: 1 } }, "QOSGrpNodeLimit"],
    ["GrpTRES=billing", { grpTres: { billing: 9 } }, "QOSGrpBilling"],
    ["GrpTRES=gres/gpu", { grpTres: { "gres/gpu": 9 } }, "QOSGrpGRES"],
    ["GrpTRESMins", { grpTresMins: { "gres/gpu": 10 } }, "QOSGrpGRESMinutes", { usage: spent(10) }],
    [
      "GrpTRESMins=cpu",
      { grpTresMins: { cpu: 10 } },
      "QOSGrpCPUMinutesLimit",
      { usage: spent(10) },
    ],
    ["GrpTRESRunMins", { grpTresRunMins: { "gres/gpu": 99 } }, "QOSGrpGRESRunMinutes"],
    ["GrpTRESRunMins=cpu", { grpTresRunMins: { cpu: 99 } }, "QOSGrpCPURunMinutesLimit"],
    ["MaxTRESMinsPerJob", { maxTresMinsPerJob: { "gres/gpu": 39 } }, "QOSMaxGRESMinutesPerJob"],
    ["MaxTRESPerJob", { maxTresPerJob: { "gres/gpu": 3 } }, "QOSMaxGRESPerJob"],
    ["MaxTRESPerJob=node", { maxTresPerJob: { node: 0 } }, "QOSMaxNodePerJobLimit"],
    ["MaxTRESPerNode", { maxTresPerNode: { "gres/gpu": 3 } }, "QOSMaxGRESPerNode"],
    ["MinTRESPerJob", { minTresPerJob: { "gres/gpu": 5 } }, "QOSMinGRES"],
    ["MinTRESPerJob=cpu", { minTresPerJob: { cpu: 5 } }, "QOSMinCpuNotSatisfied"],
    ["MaxTRESPerAccount", { maxTresPerAccount: { "gres/gpu": 9 } }, "MaxGRESPerAccount"],
    [
      "MaxTRESPerUser",
      { maxTresPerUser: { "gres/gpu": 9 } },
      "QOSMaxGRESPerUser",
      { runner: "bob" },
    ],
    [
      "MaxTRESPerUser=cpu",
      { maxTresPerUser: { cpu: 9 } },
      "QOSMaxCpuPerUserLimit",
      { runner: "bob" },
    ],
  ];
  it.each(reached)("%s that is reached shows %j as %s", (_, limits, word, how = {}) => {
    expect(wordFor({ qos: [{ name: "q", ...limits }] }, { qos: 1, ...how })).toBe(word);
  });

  it("count only the jobs of their own QOS", () => {
    expect(wordFor({ qos: [{ name: "q", grpJobs: 1 }] })).toBeNull();
  });

  it("per user leave other users alone", () => {
    const qos = [{ name: "q", maxJobsPerUser: 1, maxTresPerUser: { "gres/gpu": 8 } }];
    expect(wordFor({ qos }, { qos: 1 })).toBeNull();
  });

  it("of resources let a job pass that asks for none of them, even where the budget is 0", () => {
    const qos = [{ name: "q", grpTres: { "gres/gpu": 0 }, grpTresMins: { "gres/gpu": 0 } }];
    expect(wordFor({ qos }, { qos: 1, want: gpus(0) })).toBeNull();
    expect(wordFor({ qos }, { qos: 1 })).toBe("QOSGrpGRESMinutes");
  });

  it("of a type of GPU count that type alone", () => {
    const qos = [{ name: "q", maxTresPerJob: { "gres/gpu:a100": 2 } }];
    const want = { ...gpus(4), "gres/gpu:v100": 4 };
    expect(wordFor({ qos }, { qos: 1, want })).toBeNull();
    expect(wordFor({ qos }, { qos: 1, want: { ...gpus(4), "gres/gpu:a100": 4 } })).toBe(
      "QOSMaxGRESPerJob",
    );
  });

  it("are not enforced without AccountingStorageEnforce=limits", () => {
    expect(
      wordFor({ enforce: { limits: false }, qos: [{ name: "q", grpJobs: 0 }] }, { qos: 1 }),
    ).toBeNull();
  });
});

describe("GrpTRESMins", () => {
  const qos = [{ name: "q", grpTresMins: { "gres/gpu": 70 } }];

  it("without safe stops a start only when the budget is used up", () => {
    expect(wordFor({ qos }, { qos: 1, usage: spent(69.9) })).toBeNull();
    expect(wordFor({ qos }, { qos: 1, usage: spent(70) })).toBe("QOSGrpGRESMinutes");
  });

  it("with safe leaves room for all that runs and for the job to their time limits", () => {
    // 6 GPUs × 10 min run, 4 × 10 min asked: 100 of 70.
    expect(wordFor({ enforce: { safe: true }, qos }, { qos: 1 })).toBe("QOSGrpGRESMinutes");
    const later = { ...NO_USAGE, nowMs: 5 * MINUTE };
    // After 5 minutes 30 are still to run: 30 + 40 = 70.
    expect(wordFor({ enforce: { safe: true }, qos }, { qos: 1, usage: later })).toBeNull();
  });

  it("with safe counts the minutes still to run in full under priority/basic, which has no ticks", () => {
    const later = { ...NO_USAGE, nowMs: 5 * MINUTE };
    const world: LimitWorld = { enforce: { safe: true }, qos, priority: "basic" };
    expect(wordFor(world, { qos: 1, usage: later })).toBe("QOSGrpGRESMinutes");
  });

  it("with safe counts minutes with the UsageFactor of the QOS", () => {
    const half = [{ name: "q", usageFactor: 0.5, grpTresMins: { "gres/gpu": 50 } }];
    expect(wordFor({ enforce: { safe: true }, qos: half }, { qos: 1 })).toBeNull();
    const full = [{ name: "q", grpTresMins: { "gres/gpu": 99 } }];
    expect(wordFor({ enforce: { safe: true }, qos: full }, { qos: 1 })).toBe("QOSGrpGRESMinutes");
  });
});

describe("limits on nodes", () => {
  const placed = (...node: number[]) => ({ node, length: node.length });
  it("count a node once that jobs of the QOS or of the user share", () => {
    for (const limits of [{ grpTres: { node: 2 } }, { maxTresPerUser: { node: 2 } }]) {
      const books = booksOf({ qos: [{ name: "q", ...limits }] });
      const runs = [jobOf("bob", { qos: 1 }), jobOf("bob", { qos: 1 })];
      for (const job of runs) onStart(books, job, gpus(1), 0, placed(3));
      const waits = jobOf("bob", { qos: 1 });
      const two = { ...gpus(2), node: 2 };
      const word = (...nodes: number[]) =>
        postSelectReason(books, waits, two, NO_USAGE, placed(...nodes));
      expect(word(3, 4)).toBeNull();
      expect(word(4, 5)).not.toBeNull();
      // Without a place two more nodes are needed.
      expect(postSelectReason(books, waits, two, NO_USAGE)).not.toBeNull();
      onLeave(books, runs[0]!);
      expect(word(4, 5)).not.toBeNull();
      onLeave(books, runs[1]!);
      expect(word(4, 5)).toBeNull();
    }
  });
});

describe("limits of associations", () => {
  const reached: readonly [string, string, SlurmLimits, string, object?][] = [
    ["GrpJobs", "physics", { grpJobs: 1 }, "AssocGrpJobsLimit"],
    ["GrpJobs of root", "root", { grpJobs: 1 }, "AssocGrpJobsLimit"],
    ["GrpWall", "physics", { grpWallMs: MINUTE }, "AssocGrpWallLimit", { usage: spent(0, MINUTE) }],
    ["MaxJobs", "physics/bob", { maxJobs: 1 }, "AssocMaxJobsLimit", { runner: "bob" }],
    ["MaxWall", "physics/bob", { maxWallMs: MINUTE }, "AssocMaxWallDurationPerJobLimit"],
    ["GrpTRES=cpu", "physics", { grpTres: { cpu: 9 } }, "AssocGrpCpuLimit"],
    ["GrpTRES=mem", "physics", { grpTres: { mem: 1999 } }, "AssocGrpMemLimit"],
    ["GrpTRES=node", "physics", { grpTres: { node: 1 } }, "AssocGrpNodeLimit"],
    ["GrpTRES=gres/gpu", "physics", { grpTres: { "gres/gpu": 9 } }, "AssocGrpGRES"],
    [
      "GrpTRESMins",
      "physics",
      { grpTresMins: { "gres/gpu": 10 } },
      "AssocGrpGRESMinutes",
      { usage: spent(10) },
    ],
    ["GrpTRESRunMins", "physics", { grpTresRunMins: { cpu: 99 } }, "AssocGrpCPURunMinutesLimit"],
    ["MaxTRES", "physics/bob", { maxTresPerJob: { "gres/gpu": 3 } }, "AssocMaxGRESPerJob"],
    [
      "MaxTRESMins",
      "physics/bob",
      { maxTresMinsPerJob: { cpu: 39 } },
      "AssocMaxCpuMinutesPerJobLimit",
    ],
    ["MaxTRESPerNode", "physics/bob", { maxTresPerNode: { cpu: 3 } }, "AssocMaxCpuPerNode"],
  ];
  it.each(reached)(
    "%s of %s that is reached shows %j as %s",
    (_, where, limits, word, how = {}) => {
      expect(wordFor({ assoc: { [where]: limits } }, how)).toBe(word);
    },
  );

  it("of single jobs and users that an account has hold for its users, one by one", () => {
    expect(wordFor({ assoc: { physics: { maxJobs: 1 } } })).toBeNull();
    expect(wordFor({ assoc: { physics: { maxJobs: 1 } } }, { runner: "bob" })).toBe(
      "AssocMaxJobsLimit",
    );
    const own = { physics: { maxJobs: 1 }, "physics/bob": { maxJobs: 2 } };
    expect(wordFor({ assoc: own }, { runner: "bob" })).toBeNull();
  });

  it("of groups do not count the jobs of other accounts", () => {
    expect(wordFor({ assoc: { physics: { grpJobs: 1 } } }, { runner: "carol" })).toBeNull();
  });

  it("are stretched by the LimitFactor of the QOS", () => {
    const assoc = { physics: { grpTres: { "gres/gpu": 5 } } };
    expect(wordFor({ assoc, qos: [{ name: "q", limitFactor: 2 }] }, { qos: 1 })).toBeNull();
  });
});

describe("the order of limits", () => {
  it("a QOS is asked before the association, the user before the account", () => {
    const assoc = { "physics/bob": { maxWallMs: MINUTE }, physics: { grpJobs: 1 } };
    expect(wordFor({ assoc })).toBe("AssocMaxWallDurationPerJobLimit");
    expect(wordFor({ assoc, qos: [{ name: "q", grpJobs: 1 }] }, { qos: 1 })).toBe(
      "QOSGrpJobsLimit",
    );
  });

  it("a limit that the QOS sets makes that of the association void, even a stricter one", () => {
    const qos = [{ name: "q", grpJobs: 9, maxTresPerJob: { "gres/gpu": 8 } }];
    const assoc = { physics: { grpJobs: 1 }, "physics/bob": { maxTresPerJob: { "gres/gpu": 1 } } };
    expect(wordFor({ assoc, qos }, { qos: 1 })).toBeNull();
  });

  it("the partition's QOS counts before the job's, unless the job's says OverPartQOS", () => {
    const limits = [
      { name: "job", maxWallMs: MINUTE },
      { name: "part", maxWallMs: 60 * MINUTE },
    ];
    const partitions = [{ name: "main", qos: "part" }];
    expect(wordFor({ qos: limits, partitions }, { qos: 1 })).toBeNull();
    const over = [{ ...limits[0]!, overPartQos: true }, limits[1]!];
    expect(wordFor({ qos: over, partitions }, { qos: 1 })).toBe("QOSMaxWallDurationPerJobLimit");
  });

  it("the partition's QOS counts jobs of every QOS that run in the partition", () => {
    const world = {
      qos: [{ name: "part", grpTres: { "gres/gpu": 8 } }],
      partitions: [{ name: "main", qos: "part" }],
    };
    expect(wordFor(world)).toBe("QOSGrpGRES");
  });

  it("of two resources the one with the lower TRES number is shown", () => {
    const qos = [{ name: "q", maxTresPerJob: { "gres/gpu": 1, cpu: 1 } }];
    expect(wordFor({ qos }, { qos: 1 })).toBe("QOSMaxCpuPerJobLimit");
  });
});

describe("the books", () => {
  it("let the next job start when the last one has ended, been requeued or changed its QOS", () => {
    const books = booksOf({ qos: [{ name: "q", grpJobs: 1 }] });
    const first = jobOf("alice", { qos: 1 });
    const second = jobOf("bob", { qos: 1 });
    const word = (job: LimitJob): string | null => pendingReason(books, job, NO_USAGE);
    for (const job of [first, second]) onSubmit(books, job);
    onStart(books, first, gpus(1), 0);
    expect(word(second)).toBe("QOSGrpJobsLimit");
    onEnd(books, first);
    expect(word(second)).toBeNull();
    onStart(books, first, gpus(1), 0);
    expect(word(second)).toBe("QOSGrpJobsLimit");
    onChangeQos(books, { ...second, qos: 0 });
    expect(word({ ...second, qos: 0 })).toBeNull();
    onLeave(books, first);
    expect(word(second)).toBeNull();
  });

  it("follow a running job whose QOS changes", () => {
    const books = booksOf({ qos: [{ name: "q", grpTres: { "gres/gpu": 8 } }] });
    const runs = jobOf("alice");
    onSubmit(books, runs);
    onStart(books, runs, gpus(6), 0);
    const waits = jobOf("bob", { qos: 1 });
    expect(postSelectReason(books, waits, gpus(4), NO_USAGE)).toBeNull();
    onChangeQos(books, { ...runs, qos: 1 });
    expect(postSelectReason(books, waits, gpus(4), NO_USAGE)).toBe("QOSGrpGRES");
    onLeave(books, { ...runs, qos: 1 });
    expect(postSelectReason(books, waits, gpus(4), NO_USAGE)).toBeNull();
  });

  it("bound the number of jobs whose age grows", () => {
    const books = booksOf({ qos: [{ name: "q", maxJobsAccruePerUser: 1 }] });
    const [first, second] = [jobOf("bob", { qos: 1 }), jobOf("bob", { qos: 1 })];
    for (const job of [first, second]) onSubmit(books, job);
    expect(mayAccrue(books, first)).toBe(true);
    setAccruing(books, first.jobIdx, true);
    expect(mayAccrue(books, second)).toBe(false);
    onStart(books, first, gpus(1), 0);
    expect(mayAccrue(books, second)).toBe(true);
  });

  it("tell the priority below which backfill reserves nothing, of the QOS before the association", () => {
    const assoc = { physics: { minPrioThreshold: 5 } };
    expect(reserveThreshold(booksOf({ assoc }), jobOf("bob"))).toBe(5);
    const both = booksOf({ assoc, qos: [{ name: "q", minPrioThreshold: 7 }] });
    expect(reserveThreshold(both, jobOf("bob", { qos: 1 }))).toBe(7);
  });

  it("hold a QOS with EnforceUsageThreshold against the fair share", () => {
    const books = booksOf({
      qos: [{ name: "q", enforceUsageThreshold: true, usageThreshold: 0.3 }],
    });
    const job = jobOf("bob", { qos: 1 });
    expect(pendingReason(books, job, { ...NO_USAGE, fairShare: () => 0.2 })).toBe(
      "QOSUsageThreshold",
    );
    expect(pendingReason(books, job, { ...NO_USAGE, fairShare: () => 0.3 })).toBeNull();
  });
});
