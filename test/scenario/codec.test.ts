import fc from "fast-check";
import { deflateSync } from "fflate";
import { describe, expect, test } from "vitest";
import { decodeScenario, encodeScenario } from "../../src/scenario/codec.ts";
import { appendIntervention } from "../../src/scenario/interventions.ts";
import { LIBRARY, libraryScenario } from "../../src/scenario/library/index.ts";
import { must, scenario } from "./scenarios.ts";

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

  test("one intervention on a library scenario stays below 200 characters", () => {
    const edited = appendIntervention(base.scenario, {
      kind: "drain",
      atMs: 3_600_000,
      nodes: ["h100-003"],
    });
    const text = encodeScenario(edited, base);
    expect(text.length).toBeLessThan(200);
    expect(must(decodeScenario(text, libraryScenario)).scenario).toEqual(edited);
  });
});

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
