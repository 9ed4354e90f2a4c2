import { expect, test } from "vitest";
import { type Grown, givers } from "../../../src/scheduling/elastic/sizes.ts";

const elastic: Grown["elastic"] = {
  minMembers: 1,
  maxMembers: 8,
  allowed: [1, 2, 4, 6, 8],
  restart: "none",
  rendezvousMs: 0,
  maxRestarts: 0,
  speedQ16: [1, 2, 4, 6, 8],
};
const grown = (jobIdx: number, members: number, asked: number): Grown => ({
  jobIdx,
  members,
  asked,
  gpus: 1,
  elastic,
});

test("who grew last gives back first, to an allowed size, and never below what it asked for", () => {
  expect(givers([grown(0, 8, 4), grown(1, 6, 4)], 1)).toEqual([{ jobIdx: 1, members: 2 }]);
  expect(givers([grown(0, 8, 4), grown(1, 6, 4)], 5)).toEqual([
    { jobIdx: 1, members: 2 },
    { jobIdx: 0, members: 4 },
  ]);
  // Six is all that both have beyond what they asked for.
  expect(givers([grown(0, 8, 4), grown(1, 6, 4)], 7)).toEqual([]);
});
