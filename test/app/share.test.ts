import { describe, expect, test } from "vitest";
import { agoText } from "../../src/app/share/agoText.ts";
import { embedSnippet } from "../../src/app/share/embed.ts";
import { linkFacts } from "../../src/app/share/linkFacts.ts";
import { escapeXml, unescapeXml } from "../../src/app/share/picture/escapeXml.ts";
import { qrPicture } from "../../src/app/share/qr.ts";
import { mustRead, small } from "../scenario/scenarios.ts";

const view = { cursorMs: 3_600_000, window: { fromMs: 0, toMs: 7_200_000 }, selection: null };

const NONE = { count: 0, fits: true };

describe("what the link holds, in words", () => {
  test("a document of one's own is there whole; a log is named and stays behind", () => {
    const trace = { name: "a.swf", format: "swf", sha256: "ab".repeat(32), bytes: 2_500_000 };
    const scenario = mustRead({ ...small, workload: { trace } });
    const { holds, leavesOut } = linkFacts({
      scenario,
      base: null,
      view,
      digest: null,
      layout: false,
      kept: NONE,
    });
    expect(holds[0]).toBe("The scenario, whole: 2\u00a0nodes");
    expect(leavesOut[0]).toContain("a.swf (2.5\u00a0MB)");
    expect(leavesOut[0]).toContain("abababababab");
  });

  test("a library scenario is there by name, and changed only where it was", () => {
    const scenario = mustRead(small);
    const first = (asItIs: boolean) =>
      linkFacts({
        scenario,
        base: { title: "T", asItIs },
        view,
        digest: "0123abcd",
        layout: true,
        kept: NONE,
      }).holds[0];
    expect(first(true)).toBe("“T” of the library by its name");
    expect(first(false)).toContain("what you changed");
  });

  test("kept futures are told where they are: in the link, or left out because it would be too long", () => {
    const told = (fits: boolean) =>
      linkFacts({
        scenario: mustRead(small),
        base: null,
        view,
        digest: null,
        layout: false,
        kept: { count: 2, fits },
      });
    expect(told(true).holds.join()).toContain("2\u00a0futures kept to compare");
    expect(told(false).holds.join()).not.toContain("futures");
    expect(told(false).leavesOut.join()).toContain("too long");
  });
});

test("a snippet escapes what would leave its attributes", () => {
  const snippet = embedSnippet('http://x/?a=1#s=1:a&w="<', ["gantt", "curves"], 'A "b" <c>');
  expect(snippet).toContain("?embed=gantt,curves#s=1:a&amp;w=");
  expect(snippet).toContain('title="A &quot;b&quot; &lt;c&gt;"');
  expect(snippet.match(/"/g)).toHaveLength(12);
});

test("XML text comes back", () => {
  for (const text of ["&amp;", 'a<b>"c"&', "é\u{1f600}"]) {
    expect(escapeXml(text)).not.toMatch(/[<>"]/);
    expect(unescapeXml(escapeXml(text))).toBe(text);
  }
});

describe("a QR code", () => {
  test("of a short link is small, with its three corners and a quiet zone", () => {
    const code = qrPicture("https://queuescope.example/#s=preset:tiers@2d2f7f13");
    expect(code?.side).toBeLessThan(50);
    for (const [x, y] of [
      [4, 4],
      [(code?.side ?? 0) - 11, 4],
      [4, (code?.side ?? 0) - 11],
    ])
      expect(code?.path).toContain(`M${x} ${y}h7v1h-7z`);
  });

  test("is not made of what no code holds", () => {
    expect(qrPicture("x".repeat(2_953))).not.toBeNull();
    expect(qrPicture("x".repeat(2_954))).toBeNull();
  });
});

test("how long ago is said in one unit", () => {
  const now = Date.UTC(2026, 5, 1);
  const ago = (ms: number) => agoText(now - ms, now);
  expect([ago(5_000), ago(300_000), ago(7_200_000), ago(90_000_000), ago(3 * 86_400_000)]).toEqual([
    "just now",
    "5\u00a0min ago",
    "2\u00a0h ago",
    "yesterday",
    "3\u00a0days ago",
  ]);
  expect(ago(40 * 86_400_000)).toBe("2026-04-22");
});
