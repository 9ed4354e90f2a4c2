import { describe, expect, test } from "vitest";
import { readForeign } from "../../src/formats/registry.ts";
import { submitSpan } from "../../src/formats/submitSpan.ts";
import { asUtf8, decodeText } from "../../src/formats/text.ts";
import { LIMITS } from "../../src/model/limits.ts";
import { must } from "../scenario/scenarios.ts";

const csv = "job_id,submission_time,duration,num_gpu\nj1,0,100,4\nj2,60,100,4\n";
const utf8 = (text: string) => new TextEncoder().encode(text);
const utf16 = (text: string, swap: boolean) => {
  const bytes = Buffer.from(text, "utf16le");
  return new Uint8Array(swap ? bytes.swap16() : bytes);
};

describe("the encoding of a text file", () => {
  test.each([
    ["UTF-8 with a mark", utf8(`\ufeff${csv}`)],
    ["UTF-16, little end first, with a mark", utf16(`\ufeff${csv}`, false)],
    ["UTF-16, big end first, with a mark", utf16(`\ufeff${csv}`, true)],
    ["UTF-16 without a mark", utf16(csv, false)],
  ])("%s is read like UTF-8", (_, bytes) => {
    expect(new TextDecoder().decode(asUtf8(bytes))).toBe(csv);
    expect(must(readForeign(bytes, "jobs.csv")).facts).toEqual(
      must(readForeign(utf8(csv), "jobs.csv")).facts,
    );
  });

  test("the first header line of a log with a byte order mark is a header line", () => {
    const row = "1 0 -1 100 4 -1 -1 4 100 -1 1 1 1 -1 1 -1 -1 -1\n";
    const { facts } = must(readForeign(utf8(`\ufeff; MaxProcs: 8\n${row}`), "log.swf"));
    expect(facts).toMatchObject({ processors: 8, skipped: {} });
  });

  test("letters of an old encoding are read as such, and it is said", () => {
    const bytes = new Uint8Array(Buffer.from("Größe", "latin1"));
    expect(decodeText(bytes)).toEqual({ text: "Größe", guessed: true });
    expect(decodeText(utf8("Größe"))).toEqual({ text: "Größe", guessed: false });
  });

  test("an empty file is called empty", () => {
    const read = readForeign(new Uint8Array(0), "jobs.csv");
    expect(!read.ok && read.error[0]?.message).toBe("The file is empty.");
  });
});

describe("submit times of a wrong clock", () => {
  const table = (rows: readonly string[]) =>
    must(readForeign(utf8(`job_id,submission_time,duration,num_gpu\n${rows.join("\n")}`), "j.csv"));

  test("a row decades away from the others is left out and counted", () => {
    const { workload } = table(["a,1600000000,9,1", "b,1600000060,9,1", "c,0,9,1", "d,1e300,9,1"]);
    expect(workload.firstSubmitMs).toBe(1_600_000_000_000);
    expect(workload.skipped).toEqual({ submitTooFar: 2 });
  });

  test("times that fit into one run are all taken, negative ones too", () => {
    expect(submitSpan(Float64Array.of(5, -3, LIMITS.horizonMs - 3))).toEqual({
      firstMs: -3,
      outside: 0,
    });
  });

  test("infinite and missing numbers make a row that cannot be read", () => {
    expect(table(["a,0,9,1", "b,0,9,Infinity", "c,NaN,9,1"]).workload.skipped).toEqual({
      badRow: 2,
    });
  });

  test("a size beyond 32 bits stays large: it never wraps to a small job", () => {
    expect(table(["a,0,9,4294967300", "b,0,9,1"]).workload.at.devices[0]).toBe(2_147_483_647);
  });
});
