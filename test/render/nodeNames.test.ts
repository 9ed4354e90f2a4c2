import { expect, test } from "vitest";
import { fitNodeName } from "../../src/render/nodeNames.ts";

const within = (names: readonly string[], room: number) =>
  names.map((_, at) => fitNodeName(names, at, room, (text) => text.length));

test("nodes of groups that each count from 0 stay apart when their names are shortened", () => {
  const names = ["a100-000", "a100-001", "h100-000", "h100-001"];
  expect(within(names, 8)).toEqual(names);
  expect(within(names, 5)).toEqual(["a·000", "a·001", "h·000", "h·001"]);
  expect(within(names, 3)).toEqual(["a·0", "a·1", "h·0", "h·1"]);
  expect(within(names, 2)).toEqual(["", "", "", ""]);
});

test("what all groups share is left out word by word, and a beginning is as long as it has to be", () => {
  const names = ["gpu-h100-00", "gpu-h200-00", "gpu-l4-00"];
  expect(within(names, 6)).toEqual(["h1·00", "h2·00", "l·00"]);
});

test("the number alone is enough where no other node ends with it", () => {
  expect(within(["node-000", "node-001"], 4)).toEqual(["000", "001"]);
  expect(within(["cpu-1", "gpu-2"], 2)).toEqual(["1", "2"]);
});

test("a name without a number is shown whole or not at all", () => {
  expect(within(["head", "worker-0", "spare-0"], 3)).toEqual(["", "w·0", "s·0"]);
});
