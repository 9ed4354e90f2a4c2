import { describe, expect, it } from "vitest";
import { defaultAssociation, defaultConfig } from "../../../src/model/slurm/defaults.ts";
import type { TeamInfo } from "../../../src/model/world.ts";
import {
  associationOf,
  associationsOf,
  type JobNames,
} from "../../../src/scheduling/accounting/associations.ts";

const TEAMS: readonly TeamInfo[] = [
  { id: "vision", name: "Vision", shares: 3 },
  { id: "speech", name: "Speech", shares: 1 },
  { id: "", name: "No team", shares: 1 },
];

/** Jobs as (team, user) pairs. */
function jobsOf(pairs: readonly (readonly [number, string])[]): JobNames {
  const users = [...new Set(pairs.map(([, user]) => user))];
  return {
    count: pairs.length,
    users,
    at: {
      team: Uint16Array.from(pairs, ([team]) => team),
      user: Uint32Array.from(pairs, ([, user]) => users.indexOf(user)),
    } as JobNames["at"],
  };
}

describe("associations without a configuration", () => {
  const jobs = jobsOf([
    [0, "ann"],
    [0, "ben"],
    [1, "ann"],
    [2, ""],
    [0, "ann"],
  ]);
  const tree = associationsOf(defaultConfig(), TEAMS, jobs);

  it("are root, its user, and one account per team with the users of its jobs", () => {
    expect(tree.account.map((account, at) => `${account}:${tree.user[at]}`)).toEqual([
      "root:",
      "root:root",
      "vision:",
      "vision:ann",
      "vision:ben",
      "speech:",
      "speech:ann",
      "default:",
      "default:anyone",
    ]);
    expect([...tree.shares]).toEqual([1, 1, 3, 1, 1, 1, 1, 1, 1]);
  });

  it("give a user's job without an account the account that the user was seen in first", () => {
    expect(associationOf(tree, "", "ann", "gpu")).toBe(3);
    expect(associationOf(tree, "speech", "ann", "gpu")).toBe(6);
    expect(associationOf(tree, "speech", "ben", "gpu")).toBe(-1);
    expect(associationOf(tree, "", "nobody", "gpu")).toBe(-1);
  });
});

describe("configured associations", () => {
  const entries = [
    { ...defaultAssociation("root", ""), parent: -1 },
    { ...defaultAssociation("org", ""), parent: 0 },
    { ...defaultAssociation("lab", ""), parent: 1 },
    { ...defaultAssociation("lab", "ann"), parent: 2, isDefault: false },
    { ...defaultAssociation("lab", "ann"), parent: 2, partition: "gpu", isDefault: false },
    { ...defaultAssociation("org", "ann"), parent: 1, isDefault: true },
  ];
  const tree = associationsOf({ ...defaultConfig(), associations: entries }, TEAMS, jobsOf([]));

  it("get root's user behind root, everybody else one further", () => {
    expect([...tree.parent]).toEqual([-1, 0, 0, 2, 3, 3, 2]);
    expect([...tree.depth]).toEqual([0, 1, 1, 2, 3, 3, 2]);
    expect([...tree.children.subarray(tree.firstChild[2]!, tree.firstChild[3]!)]).toEqual([3, 6]);
  });

  it("an entry for the partition goes before the one for all", () => {
    expect(associationOf(tree, "lab", "ann", "gpu")).toBe(5);
    expect(associationOf(tree, "lab", "ann", "cpu")).toBe(4);
  });

  it("the default account is the one marked as such", () => {
    expect(associationOf(tree, "", "ann", "cpu")).toBe(6);
  });
});
