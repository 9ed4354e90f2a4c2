import { expect, test } from "vitest";
import { switchTree } from "../../../src/scheduling/nodeChoice/switchTree.ts";

const indexOf = new Map(["a", "b", "c", "d"].map((name, index) => [name, index]));
const leaf = (name: string, ...nodes: string[]) => ({ name, nodes, switches: [] });
const above = (name: string, ...switches: string[]) => ({ name, nodes: [], switches });

test("a switch has the nodes of all leaves below it, and stands one level above the highest of them", () => {
  const tree = switchTree(
    [
      above("top", "left", "three"),
      above("left", "one", "two"),
      leaf("one", "a"),
      leaf("two", "b", "c"),
      leaf("three", "d"),
    ],
    indexOf,
    4,
  );
  expect(tree.names).toEqual(["top", "left", "one", "two", "three"]);
  expect(Array.from(tree.level)).toEqual([2, 1, 0, 0, 0]);
  expect(Array.from(tree.parent)).toEqual([-1, 0, 1, 1, 0]);
  expect(tree.nodes.map((set) => set[0])).toEqual([0b1111, 0b0111, 0b0001, 0b0110, 0b1000]);
  expect(tree.leaves).toEqual([2, 3, 4]);
});

test("names that nobody has are left out, and a ring of switches ends", () => {
  const tree = switchTree(
    [leaf("one", "a", "nobody"), above("two", "one", "three", "nowhere"), above("three", "two")],
    indexOf,
    4,
  );
  expect(tree.nodes[0]![0]).toBe(0b0001);
  expect(tree.nodes[1]![0]).toBe(0b0001);
  expect(tree.leaves).toEqual([0]);
});
