import { describe, expect, it } from "vitest";
import { type LimitBooks, onLeave, onSubmit } from "../../../src/scheduling/limits/books.ts";
import {
  limitWithoutTimeMs,
  type SubmitJob,
  submitProblem,
} from "../../../src/scheduling/limits/submit.ts";
import { booksOf, gpus, jobOf, type LimitWorld, MINUTE } from "./limitWorld.ts";

const POLICY =
  "Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)";

function submission(user: string, more: Partial<SubmitJob> = {}): SubmitJob {
  const job = jobOf(user, more);
  return {
    minNodes: 1,
    maxNodes: 1,
    timeMinMs: 0,
    partitions: [0],
    tres: gpus(4),
    ...more,
    ...job,
  };
}

/** The word for bob's job while two of alice's are submitted. */
function refusal(
  world: LimitWorld,
  more: Partial<SubmitJob> = {},
  before = "alice",
): string | null {
  const books = booksOf(world);
  for (let count = 0; count < 2; count++) onSubmit(books, jobOf(before, { qos: more.qos ?? 0 }));
  return submitProblem(books, submission("bob", more))?.reason ?? null;
}

const any = (...names: string[]) => ({ root: { qos: ["normal", ...names] } });

describe("at submission", () => {
  it("a user without association is refused, unless associations are not enforced", () => {
    const stranger = submission("erin");
    expect(submitProblem(booksOf({}), stranger)).toEqual({
      reason: "InvalidAccount",
      refuse: true,
      message: "Invalid account or account/partition combination specified",
    });
    const enforce = { associations: false, limits: false, qos: false };
    expect(submitProblem(booksOf({ enforce }), stranger)).toBeNull();
  });

  it("a QOS that the user may not have is refused; lists are inherited; without any list there is `normal`", () => {
    const qos = [{ name: "q" }];
    const asked = submission("bob", { qos: 1 });
    expect(submitProblem(booksOf({ qos }), asked)?.message).toBe("Invalid qos specification");
    expect(submitProblem(booksOf({ qos, assoc: any("q") }), asked)).toBeNull();
    expect(submitProblem(booksOf({ qos, assoc: { physics: { qos: ["q"] } } }), asked)).toBeNull();
    const own = { ...any("q"), "physics/bob": { qos: ["normal"] } };
    expect(submitProblem(booksOf({ qos, assoc: own }), asked)?.reason).toBe("InvalidQOS");
    expect(submitProblem(booksOf({ qos, enforce: { qos: false } }), asked)).toBeNull();
  });

  const counts: readonly [string, LimitWorld, string, string?][] = [
    ["GrpSubmitJobs of a QOS", { qos: [{ name: "q", grpSubmitJobs: 2 }] }, "QOSGrpSubmitJobsLimit"],
    [
      "MaxSubmitJobsPerUser",
      { qos: [{ name: "q", maxSubmitJobsPerUser: 2 }] },
      "QOSMaxSubmitJobPerUserLimit",
      "bob",
    ],
    [
      "MaxSubmitJobsPerAccount",
      { qos: [{ name: "q", maxSubmitJobsPerAccount: 2 }] },
      "MaxSubmitJobsPerAccount",
    ],
    [
      "GrpSubmitJobs of an account",
      { qos: [{ name: "q" }], assoc: { physics: { grpSubmitJobs: 2 } } },
      "AssocGrpSubmitJobsLimit",
    ],
    [
      "MaxSubmitJobs of an association",
      { qos: [{ name: "q" }], assoc: { physics: { maxSubmitJobs: 2 } } },
      "AssocMaxSubmitJobLimit",
      "bob",
    ],
  ];
  it.each(counts)("%s that is reached refuses", (_, world, word, before = "alice") => {
    expect(refusal({ ...world, enforce: { qos: false } }, { qos: 1 }, before)).toBe(word);
  });

  it("submitted jobs count until they leave", () => {
    const books: LimitBooks = booksOf({ assoc: { "physics/bob": { maxSubmitJobs: 1 } } });
    const first = jobOf("bob");
    onSubmit(books, first);
    expect(submitProblem(books, submission("bob"))?.message).toBe(POLICY);
    onLeave(books, first);
    expect(submitProblem(books, submission("bob"))).toBeNull();
  });

  it("limits on running jobs refuse under DenyOnLimit only", () => {
    const limits = { maxWallMs: MINUTE, maxTresPerJob: { "gres/gpu": 3 } };
    const loose = { qos: [{ name: "q", ...limits }], assoc: any("q") };
    expect(refusal(loose, { qos: 1 })).toBeNull();
    const strict = { ...loose, qos: [{ name: "q", ...limits, denyOnLimit: true }] };
    expect(refusal(strict, { qos: 1 })).toBe("QOSMaxGRESPerJob");
    expect(refusal(strict, { qos: 1, tres: gpus(2) })).toBe("QOSMaxWallDurationPerJobLimit");
    expect(refusal(strict, { qos: 1, tres: gpus(2), limitMs: MINUTE })).toBeNull();
  });
});

describe("EnforcePartLimits", () => {
  const partitions = [{ name: "short", maxTimeMs: 2 * MINUTE, maxNodes: 2 }, { name: "long" }];
  const asked = (more: Partial<SubmitJob>, partLimits: "no" | "any" | "all"): string | null => {
    // The plain cluster names no nodes: the partitions do.
    const nodes = ["n1", "n2", "n3", "n4"];
    const world = {
      enforce: { partLimits },
      partitions: partitions.map((each) => ({ ...each, nodes })),
    };
    return submitProblem(booksOf(world), submission("bob", more))?.message ?? null;
  };

  it("NO lets a job wait for ever, ALL refuses it", () => {
    expect(asked({}, "no")).toBeNull();
    expect(asked({}, "all")).toBe(
      "Requested time limit is invalid (missing or exceeds some limit)",
    );
    const wide = { limitMs: MINUTE, minNodes: 3, maxNodes: 3 };
    expect(asked(wide, "all")).toBe("Node count specification invalid");
  });

  it("of several partitions ANY wants one that takes the job, ALL every one", () => {
    expect(asked({ partitions: [0, 1] }, "any")).toBeNull();
    expect(asked({ partitions: [0] }, "any")).not.toBeNull();
    expect(asked({ partitions: [0, 1] }, "all")).not.toBeNull();
  });

  it("whatever it says, a drained or inactive partition takes no job", () => {
    for (const state of ["drain", "inactive"] as const) {
      const closed = booksOf({ partitions: [{ name: "main", state }] });
      expect(submitProblem(closed, submission("bob"))?.message).toBe(
        "Required partition not available (inactive or drain)",
      );
    }
    const down = booksOf({ partitions: [{ name: "main", state: "down" }] });
    expect(submitProblem(down, submission("bob"))).toBeNull();
  });

  it("of accounts and QOS: a list of those allowed makes the list of those denied void", () => {
    const word = (more: object): string | null => {
      const world = {
        enforce: { partLimits: "all" as const },
        partitions: [{ name: "main", nodes: ["n1"], ...more }],
      };
      return submitProblem(booksOf(world), submission("bob"))?.reason ?? null;
    };
    expect(word({ allowAccounts: ["maths"] })).toBe("AccountNotAllowed");
    expect(word({ denyAccounts: ["physics"] })).toBe("AccountNotAllowed");
    expect(word({ allowAccounts: ["physics"], denyAccounts: ["physics"] })).toBeNull();
    expect(word({ allowQos: ["q"] })).toBe("QOSNotAllowed");
    expect(word({ denyQos: ["normal"] })).toBe("QOSNotAllowed");
  });
});

describe("a job that names no time limit", () => {
  it("gets DefaultTime, else the MaxWall that holds for it, and never more than MaxTime", () => {
    const limit = (partition: object, wallMs?: number): number => {
      const qos = wallMs === undefined ? [] : [{ name: "q", maxWallMs: wallMs }];
      const books = booksOf({ qos, partitions: [{ name: "main", ...partition }] });
      return limitWithoutTimeMs(books, jobOf("bob", { qos: qos.length }));
    };
    expect(limit({})).toBe(Number.POSITIVE_INFINITY);
    expect(limit({ maxTimeMs: 9 * MINUTE, defaultTimeMs: MINUTE }, 5 * MINUTE)).toBe(MINUTE);
    expect(limit({ maxTimeMs: 9 * MINUTE }, 5 * MINUTE)).toBe(5 * MINUTE);
    expect(limit({ maxTimeMs: 3 * MINUTE }, 5 * MINUTE)).toBe(3 * MINUTE);
  });
});
