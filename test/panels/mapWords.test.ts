import { expect, test } from "vitest";
import { placementWords } from "../../src/panels/topology/mapWords.ts";

const place = { nodes: 1, leaves: 1 };
const placement = { devices: 1, now: place, fewest: place } as Parameters<typeof placementWords>[4];
const plain = (inParts: boolean) =>
  placementWords("s2", "GPU", inParts, true, placement, null).replace(/\s/g, " ");

test("a MIG slice is told as part of a GPU on the map, a whole GPU as one", () => {
  expect(plain(true)).toContain("s2: part of 1 GPU on 1 node under 1 leaf.");
  expect(plain(false)).toContain("s2: 1 GPU on 1 node under 1 leaf.");
});
