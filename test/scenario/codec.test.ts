import fc from "fast-check";
import { deflateSync } from "fflate";
import { describe, expect, test } from "vitest";
import {
  decodeScenario,
  decodeVariants,
  encodeScenario,
  encodeVariants,
} from "../../src/scenario/codec.ts";
import { completeIntervention } from "../../src/scenario/completeIntervention.ts";
import { appendIntervention } from "../../src/scenario/interventions.ts";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";
import type { Intervention } from "../../src/scenario/schema.ts";
import { must, mustRead, scenario, small } from "./scenarios.ts";

const base = { id: "why-waiting", scenario: libraryScenario("why-waiting")! };
const messageOf = (text: string): string => {
  const decoded = decodeScenario(text, libraryScenario);
  return decoded.ok ? "" : (decoded.error[0]?.message ?? "");
};
const payloadOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

describe("a link opens what was sent", () => {
  test("any scenario, alone or as a difference from the library", () => {
    fc.assert(
      fc.property(scenario, fc.boolean(), (original, fromLibrary) => {
        const text = encodeScenario(original, fromLibrary ? base : null);
        expect(text).toMatch(/^[\w.:@-]+$/);
        expect(must(decodeScenario(text, libraryScenario)).scenario).toEqual(original);
      }),
    );
  });

  test("a scenario of the library as it is takes only its name", () => {
    for (const { id } of LIBRARY) {
      const text = encodeScenario(libraryScenario(id)!, { id, scenario: libraryScenario(id)! });
      expect(text).toMatch(new RegExp(`^preset:${id}@[0-9a-f]{8}$`));
      expect(must(decodeScenario(text, libraryScenario))).toEqual({
        scenario: libraryScenario(id),
        baseId: id,
      });
    }
  });

  test("each kind of edit on a library scenario, and four of them together, stay below 200 characters", () => {
    const edits: Intervention[] = [
      completeIntervention({ kind: "drain", atMs: 3_600_000, nodes: ["h100-003"] }),
      completeIntervention({
        kind: "policy",
        atMs: 5_412_345,
        policy: { settings: { backfill: "easy" } },
      }),
      completeIntervention({
        kind: "inject",
        atMs: 6_412_345,
        job: { id: "injected-1", gpus: 16, workMs: 5_400_000, tier: "high", team: "vision" },
      }),
      completeIntervention({ kind: "cancel", atMs: 7_412_345, job: "moe-6x8" }),
    ];
    const lengths = [...edits.map((edit) => [edit]), edits].map((list) => {
      const edited = list.reduce(appendIntervention, base.scenario);
      const text = encodeScenario(edited, base);
      expect(must(decodeScenario(text, libraryScenario)).scenario).toEqual(edited);
      return text.length;
    });
    expect(Math.max(...lengths)).toBeLessThan(150);
    expect(lengths[0]).toBeLessThan(50);
  });

  test("fifty jobs made by hand, with times to the second and names of their own, stay below 2,000 characters", () => {
    const scenario = mustRead(handMade(50));
    const text = encodeScenario(scenario);
    expect(text.length).toBeLessThan(1_500);
    expect(must(decodeScenario(text, libraryScenario)).scenario).toEqual(scenario);
  });
});

/** No pattern that a packer could profit from: a plain generator of numbers, fixed. */
function handMade(count: number) {
  let state = 12_345;
  const below = (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % most;
  };
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  return {
    version: 1,
    title: "Fifty jobs",
    cluster: { nodeGroups: [{ id: "h100", count: 8, gpus: 8 }] },
    teams: [{ id: "red" }, { id: "blue" }, { id: "green" }],
    workload: {
      jobs: Array.from({ length: count }, (_, index) => ({
        id: `${pick(["llm", "vit", "tts", "asr", "moe"])}-${below(1_000)}x${index}`,
        submitMs: below(86_400) * 1_000,
        workMs: below(30_000) * 1_000,
        limitMs: (1 + below(24)) * 3_600_000,
        ...(below(3) > 0
          ? { gpus: pick([1, 2, 4, 8, 16]) }
          : { nodes: 1 + below(4), gpusPerNode: 8 }),
        tier: pick(["critical", "high", "normal", "low"]),
        team: pick(["red", "blue", "green"]),
        user: pick(["ana", "jon", "lee", "mira", "kai", "zoe"]),
        ...(below(5) > 0 ? {} : { kind: "inference" as const }),
      })),
    },
  };
}

describe("a bad link is refused with a reason", () => {
  test("any text", () => {
    fc.assert(fc.property(fc.string(), (text) => void decodeScenario(text, libraryScenario)));
    fc.assert(
      fc.property(fc.base64String(), (text) => void decodeScenario(`1.${text}`, libraryScenario)),
    );
  });

  test("a letter changed anywhere, although most such payloads still unpack", () => {
    const whole = encodeScenario(base.scenario);
    const edited = encodeScenario({ ...base.scenario, seed: 7 }, base);
    for (const text of [whole, edited]) {
      for (let at = 0; at < text.length; at += Math.max(1, Math.floor(text.length / 200))) {
        const letter = text[at] === "b" ? "c" : "b";
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        expect([changed, decodeScenario(changed, libraryScenario).ok]).toEqual([changed, false]);
      }
    }
  });

  test("a link of a later version names the remedy", () => {
    const text = encodeScenario(base.scenario).replace(/^1/, "99");
    expect(messageOf(text)).toContain("version 99");
  });

  test("a link that was cut", () => {
    const text = encodeScenario(base.scenario);
    expect(messageOf(text.slice(0, -20))).toContain("damaged");
  });

  test("a library scenario that has changed since", () => {
    expect(messageOf("preset:why-waiting@00000000")).toContain("changed");
  });

  test("a library scenario that nobody has", () => {
    expect(messageOf("preset:nothing@00000000")).toContain("nothing");
  });

  test("a bomb: a kilobyte that unpacks to more than a document may hold", () => {
    const bomb = payloadOf(deflateSync(new Uint8Array(20 * 2 ** 20), { level: 9 }));
    expect(bomb.length).toBeLessThan(64 * 1_024);
    expect(messageOf(`1.${bomb}`)).toContain("unpacks to more");
  });

  test("a link longer than 64 KiB", () => {
    expect(messageOf(`1.${"A".repeat(70_000)}`)).toContain("too long");
  });

  test("a document that says it is newer than this program", () => {
    const text = payloadOf(deflateSync(new TextEncoder().encode('{"version":7}')));
    expect(messageOf(`7.${text}`)).toContain("version 7");
  });
});

describe("futures beside a scenario", () => {
  const shown = mustRead(small);
  const others = [
    mustRead({ ...small, interventions: [{ atMs: 60_000, kind: "drain", nodes: ["n-000"] }] }),
    mustRead({ ...small, seed: 7 }),
  ];

  test("come back from what differs in them, and are short", () => {
    const text = encodeVariants(others, shown) ?? "";
    expect(decodeVariants(text, shown)).toEqual(others);
    expect(text.length).toBeLessThan(120);
  });

  test("that are damaged, from a later version or beside another scenario are no futures, and nothing throws", () => {
    const text = encodeVariants(others, shown) ?? "";
    expect(decodeVariants(text.slice(0, -1), shown)).toEqual([]);
    expect(decodeVariants(text.replace(/^1/, "2"), shown)).toEqual([]);
    expect(decodeVariants(encodeVariants([...others, ...others], shown) ?? "", shown)).toEqual([]);
    fc.assert(
      fc.property(fc.string(), (any) => {
        expect(decodeVariants(any, shown)).toEqual([]);
      }),
    );
  });
});
