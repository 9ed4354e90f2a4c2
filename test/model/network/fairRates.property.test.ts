import fc from "fast-check";
import { expect, test } from "vitest";
import { type Flow, fairRates } from "../../../src/model/network/fairRates.ts";

const LINKS = 5;
const CAPACITY = 10_000;

const flow: fc.Arbitrary<Flow> = fc
  .record({
    mostRate: fc.integer({ min: 1, max: 20_000 }),
    links: fc.uniqueArray(fc.nat(LINKS - 1), { minLength: 1, maxLength: 3 }),
    edges: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 3 }),
  })
  .map(({ mostRate, links, edges }) => ({ mostRate, links, edges: edges.slice(0, links.length) }));
const flows = fc.array(flow, { minLength: 1, maxLength: 8 });

function used(all: readonly Flow[], rates: Float64Array, link: number): number {
  return all.reduce((sum, { links, edges }, place) => {
    const at = links.indexOf(link);
    return at < 0 ? sum : sum + edges[at]! * rates[place]!;
  }, 0);
}

test("no link carries more than it can, and nobody gets more than it can use", () =>
  fc.assert(
    fc.property(flows, (all) => {
      const rates = fairRates(all, () => CAPACITY);
      for (let link = 0; link < LINKS; link++)
        expect(used(all, rates, link)).toBeLessThanOrEqual(CAPACITY);
      for (const [place, { mostRate }] of all.entries())
        expect(rates[place]).toBeLessThanOrEqual(mostRate);
    }),
    { endOnFailure: true },
  ));

test("who gets less than it can use crosses a full link on which nobody has more", () =>
  fc.assert(
    fc.property(flows, (all) => {
      const rates = fairRates(all, () => CAPACITY);
      all.forEach(({ mostRate, links }, place) => {
        if (rates[place] === mostRate) return;
        const bottleneck = links.some((link) => {
          const edges = all.reduce(
            (sum, one) => sum + (one.edges[one.links.indexOf(link)] ?? 0),
            0,
          );
          const full = used(all, rates, link) > CAPACITY - edges;
          const mostThere = all.every(
            (one, other) => !one.links.includes(link) || rates[other]! <= rates[place]!,
          );
          return full && mostThere;
        });
        expect(bottleneck).toBe(true);
      });
    }),
    { endOnFailure: true },
  ));

test("the order of flows changes nothing", () =>
  fc.assert(
    fc.property(flows, (all) => {
      const rates = fairRates(all, () => CAPACITY);
      const backwards = fairRates([...all].reverse(), () => CAPACITY);
      expect([...backwards].reverse()).toEqual([...rates]);
    }),
    { endOnFailure: true },
  ));

test("on one link, a flow that leaves makes nobody slower", () =>
  fc.assert(
    fc.property(flows, (all) => {
      const single = all.map((one) => ({ ...one, links: [0], edges: [one.edges[0]!] }));
      const rates = fairRates(single, () => CAPACITY);
      const rest = fairRates(single.slice(1), () => CAPACITY);
      // Whole numbers: what one round leaves over may go to another flow.
      for (const [place, rate] of rest.entries())
        expect(rate).toBeGreaterThanOrEqual(rates[place + 1]! - 1);
    }),
    { endOnFailure: true },
  ));

test("over several links, a flow that leaves can make another one slower", () => {
  const one = (links: number[]) => ({
    mostRate: CAPACITY,
    links,
    edges: links.map(() => 1),
  });
  // B crosses the links of A and of C: with A gone it grows, and takes it from C.
  const [, , c] = fairRates([one([0]), one([0, 1]), one([1])], (link) => (link === 0 ? 4 : 10));
  const [, alone] = fairRates([one([0, 1]), one([1])], (link) => (link === 0 ? 4 : 10));
  expect([c, alone]).toEqual([8, 6]);
});
