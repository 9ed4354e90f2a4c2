/** The lines of Slurm's files: comments, joined lines, quotes, blanks, and where each value stands. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { confLines } from "../../../src/scenario/slurm/lex.ts";

const pairsOf = (text: string): (readonly [string, string])[] =>
  confLines(text).flatMap((line) => line.pairs.map((pair) => [pair.key, pair.value] as const));

describe("a line of a configuration", () => {
  test("ends at a # that is not escaped", () => {
    expect(pairsOf("A=1 # B=2\n#C=3\nD=x\\#y # z\n")).toEqual([
      ["A", "1"],
      ["D", "x#y"],
    ]);
  });

  test("goes on after a backslash at its end, without a blank between", () => {
    expect(pairsOf("SchedulerParameters=a=1,\\\nb=2\nC=3\n")).toEqual([
      ["SchedulerParameters", "a=1,b=2"],
      ["C", "3"],
    ]);
    expect(confLines("A=1 \\\n B=2\nC=3\n").map((line) => line.line)).toEqual([1, 3]);
  });

  test("holds several pairs, blanks around =, and values in quotes", () => {
    expect(pairsOf('NodeName = n1\tCPUs=4  Reason="two words"\r\n')).toEqual([
      ["NodeName", "n1"],
      ["CPUs", "4"],
      ["Reason", "two words"],
    ]);
  });

  test("keeps what is no pair", () => {
    const [line] = confLines("Include /etc/slurm/nodes.conf\n");
    expect(line).toMatchObject({ rest: "Include /etc/slurm/nodes.conf", pairs: [] });
  });

  test("says where its values stand", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        for (const line of confLines(text)) {
          for (const pair of line.pairs) {
            expect(text.slice(pair.from, pair.from + pair.key.length)).toBe(pair.key);
            const raw = text.slice(pair.valueFrom, pair.valueUntil);
            const joined = raw
              .replace(
                /\\[ \t\r\f\v\u00a0\ufeff\u2028\u2029\u3000\u1680\u2000-\u200a\u202f\u205f]*\n/g,
                "",
              )
              .replace(/\\#/g, "#");
            expect(pair.quoted ? joined.slice(1, -1) : joined).toBe(pair.value);
          }
        }
      }),
    );
  });
});
