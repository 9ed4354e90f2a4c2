import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PoolFreeIndex } from "../../src/engine/freeIndex.ts";
import { Grant } from "../../src/engine/grant.ts";
import { Ledger } from "../../src/engine/ledger.ts";
import { worldFromText } from "../support/world.ts";

function taken(ledger: Ledger, node: number, count: number, into = new Grant()): string | false {
  const before = into.length;
  if (!ledger.takeDevices(node, count, 0, 1, into)) return false;
  return Array.from({ length: into.length - before }, (_, i) => {
    const row = before + i;
    return `${into.first[row]}+${into.count[row]}`;
  }).join(" ");
}

function ledgerWith(text: string, used: readonly (readonly [number, number])[]): Ledger {
  const ledger = new Ledger(worldFromText(text));
  for (const [device, count] of used) ledger.take(0, device, count, 0, 0, 0, 0);
  return ledger;
}

describe("which devices of a node", () => {
  test("the lowest free ones, as runs; none when too few are free", () => {
    const ledger = ledgerWith("1 nodes x 8 gpus", [
      [1, 2],
      [5, 1],
    ]);
    expect(taken(ledger, 0, 4)).toBe("0+1 3+2 6+1");
    expect(taken(ledger, 0, 6)).toBe(false);
    expect(taken(ledger, 0, 0)).toBe("-1+0");
  });

  test("on a flat machine the smallest run that holds them all; else the longest runs first", () => {
    const ledger = ledgerWith("100 gpus", [
      [10, 10],
      [24, 1],
      [60, 40],
    ]);
    expect(taken(ledger, 0, 4)).toBe("20+4");
    expect(taken(ledger, 0, 5)).toBe("0+5");
    expect(taken(ledger, 0, 12)).toBe("25+12");
    expect(taken(ledger, 0, 40)).toBe("25+35 0+5");
  });

  test("devices that the grant names already are not named again", () => {
    const ledger = ledgerWith("1 nodes x 8 gpus", [[0, 1]]);
    const grant = new Grant();
    expect(taken(ledger, 0, 3, grant)).toBe("1+3");
    expect(taken(ledger, 0, 3, grant)).toBe("4+3");
    expect(taken(ledger, 0, 2, grant)).toBe(false);
    expect(taken(ledger, 0, 7)).toBe("1+7");
  });

  test("a node may have more than 8,192 devices", () => {
    const ledger = ledgerWith("20000 gpus", [[9_999, 1]]);
    expect(taken(ledger, 0, 10_000)).toBe("10000+10000");
    expect(ledger.gpusFree[0]).toBe(19_999);
  });
});

test("the index of free counts answers as a scan over the nodes would", () => {
  const step = fc.tuple(fc.nat(69), fc.nat(8));
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 60 }),
      fc.nat(8),
      fc.integer({ min: -1, max: 69 }),
      (steps, free, after) => {
        const index = new PoolFreeIndex(70, 8);
        const plain = new Array<number>(70).fill(-1);
        for (const [node, count] of steps) {
          if (plain[node]! >= 0) index.remove(node, plain[node]!);
          plain[node] = count;
          index.add(node, count);
        }
        expect(index.countWith(free)).toBe(plain.filter((count) => count === free).length);
        expect(index.nextNode(free, after)).toBe(
          plain.findIndex((count, node) => node > after && count === free),
        );
      },
    ),
  );
});
