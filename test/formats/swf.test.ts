import fc from "fast-check";
import { gzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { noteSentences, ROW_NOTES } from "../../src/formats/foreign.ts";
import { unpack } from "../../src/formats/gunzip.ts";
import { readForeign } from "../../src/formats/registry.ts";
import { readSwfHeader } from "../../src/formats/swfHeader.ts";
import { nameOf } from "../../src/model/jobs.ts";
import { LIMITS } from "../../src/model/limits.ts";
import { must } from "../scenario/scenarios.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => must(readForeign(bytesOf(text), "log.swf"));
/** A row by the fields that matter: number, submit, run, allocated, asked, limit. */
const row = (
  id: number,
  submit: number,
  run: number,
  allocated: number,
  asked: number,
  limit: number,
  user = 1,
) =>
  `${id} ${submit} -1 ${run} ${allocated} -1 -1 ${asked} ${limit} -1 1 ${user} 1 -1 1 -1 -1 -1\n`;

describe("the header", () => {
  test("keys may repeat, values may carry a tail, blanks may be missing", () => {
    const header = readSwfHeader([
      "MaxProcs: 1664 (72, 1368, 224)",
      "MaxNodes:338 (batch partition; 512 total)",
      "Note: a",
      "Note: b",
      "",
      "free text",
      "TimeZone: -28800",
      "UnixStartTime: 893466664",
    ]);
    expect(header).toMatchObject({
      processors: 1_664,
      nodes: 338,
      unixStartSec: 893_466_664,
      zoneSec: -28_800,
    });
    expect(header.values.get("Note")).toBe("a");
  });

  test("without MaxProcs the nodes stand in, and a warning says so", () => {
    const { workload, facts } = read(`; MaxNodes: 256\n${row(1, 0, 5, 4, -1, -1)}`);
    expect(workload.machine).toEqual({ processors: 256, nodes: 256, flat: true });
    expect(facts.warnings[0]).toContain("256");
  });

  test("without a size the largest job is named", () => {
    expect(read(row(1, 0, 5, 48, -1, -1)).facts.warnings[0]).toContain("48 processors");
  });
});

describe("rows", () => {
  test("numbers with decimals, signs, tabs, CR and leading blanks are read", () => {
    const { workload, facts } = read(
      `; x\r\n  1\t 10.5  -1 +2.25 3 1.5e1 -1 4 9.75 -1 0 7 1 -1 2 -1 -1 -1\r\n\n`,
    );
    expect([
      workload.at.submitMs[0],
      workload.at.runMs[0],
      workload.at.limitMs[0],
      workload.at.devices[0],
    ]).toEqual([10_500, 2_250, 9_750, 4]);
    expect([facts.jobs, facts.users, facts.statusCounts]).toEqual([1, 1, { 0: 1 }]);
    expect([workload.users[workload.at.user[0]!], workload.queues[workload.at.queue[0]!]]).toEqual([
      "7",
      "2",
    ]);
  });

  test("every odd row is kept and noted, or counted under a reason", () => {
    const { workload, facts } = read(
      `; MaxProcs: 16\n${row(1, 50, 10, 4, 4, 20)}${row(2, 40, -1, 4, 4, 20)}${row(3, 60, 10, -1, -1, 20)}${row(4, 61, 0, 4, 4, 20)}${row(5, -7, 30, 4, 8, 20)}${row(6, 70, 5, 32, -1, -1)}${row(6, 70, 5, -1, 2, 9)}x y z\n1 2 3\n`,
    );
    expect(facts.jobs).toBe(7);
    expect(facts.skipped).toEqual({ runUnknown: 1, noProcessors: 1, notNumbers: 1, badRow: 1 });
    expect(facts.noted).toEqual({
      outOfOrder: 2,
      runZero: 1,
      negativeSubmit: 1,
      runOverLimit: 1,
      allocatedNotAsked: 1,
      noLimit: 1,
      askedMissing: 1,
      duplicateId: 1,
      allocatedMissing: 1,
      largerThanMachine: 1,
    });
    expect(Array.from({ length: workload.count }, (_, i) => nameOf(workload.ids, i))).toEqual([
      "1",
      "4",
      "5",
      "6",
      "6#7",
    ]);
    expect(workload.firstSubmitMs).toBe(-7_000);
  });

  test("every reason has its sentence", () => {
    expect(noteSentences({ runUnknown: 1, noLimit: 2 })).toEqual([
      "1\u00a0row: run time unknown, so the job cannot be replayed.",
      "2\u00a0rows: no time limit: the run time stands for it in plans, and nothing is stopped there.",
    ]);
    expect(Object.values(ROW_NOTES).every((sentence) => sentence.length > 10)).toBe(true);
  });

  test("CPU-hours count what was allocated, also where the job asked for something else", () => {
    expect(
      read(row(1, 0, 3_600, 4, 8, -1) + row(2, 0, 3_600, -1, 2, -1) + row(3, 0, 0, 9, 9, -1)).facts
        .cpuHours,
    ).toBe(6);
  });

  test("numbers are those that JavaScript reads from the same text", () => {
    const decimal = fc
      .tuple(fc.nat(10_000_000), fc.nat(99))
      .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, "0")}`);
    fc.assert(
      fc.property(decimal, fc.integer({ min: 1, max: 100_000 }), (submit, procs) => {
        const { workload } = read(
          `1 ${submit} -1 5 ${procs} -1 -1 ${procs} -1 -1 1 1 1 -1 1 -1 -1 -1`,
        );
        expect(workload.at.submitMs[0]).toBe(Math.round(Number(submit) * 1_000));
        expect(workload.at.devices[0]).toBe(procs);
      }),
    );
  });

  test("more columns and a line of names make it the extended format", () => {
    const names = Array.from({ length: 20 }, (_, i) => `c${i}`).join("\t");
    const { facts } = read(`${names}\n${row(1, 0, 5, 2, 2, 9).trim()} DAG-1 4\n`);
    expect([facts.format, facts.jobs, facts.skipped]).toEqual(["swf-ext", 1, { notNumbers: 1 }]);
  });
});

describe("packed files", () => {
  const text = Array.from({ length: 3_000 }, (_, i) => row(i + 1, i, 5, 4, 4, 20)).join("");

  test("gzip is told by its first bytes, whatever the file is called", () => {
    expect(must(readForeign(gzipSync(bytesOf(text)), "log.txt")).facts.jobs).toBe(3_000);
  });

  test("a file of two gzip members is one text", () => {
    const half = text.length / 2;
    const packed = [text.slice(0, half), text.slice(half)].map((part) => gzipSync(bytesOf(part)));
    expect(must(readForeign(Buffer.concat(packed), "log")).facts.jobs).toBe(3_000);
  });

  test.each([0.1, 0.5, 0.99])("a file cut at %f of its length is refused as cut short", (part) => {
    const packed = gzipSync(bytesOf(text));
    const result = readForeign(packed.subarray(0, Math.floor(packed.length * part)), "log.gz");
    expect(result.ok ? "" : result.error[0]?.message).toContain("cut short");
  });

  test("a file that unpacks beyond the cap is refused", () => {
    const result = unpack(gzipSync(new Uint8Array(5 * 2 ** 20)), "log.gz", 2 ** 20);
    expect(result.ok ? "" : result.error[0]?.message).toContain("larger than 1 MiB");
  });
});

describe("what is no log is refused with a remedy", () => {
  test.each([
    ["an empty file", ""],
    ["a header alone", "; MaxProcs: 4\n"],
    ["prose", "Dear all,\nplease find the log attached.\n"],
  ])("%s", (_title, text) => {
    const result = readForeign(bytesOf(text), "x");
    expect(result.ok ? "" : result.error[0]?.remedy).toMatch(/\.$/);
  });

  test("an unknown format key names the known ones", () => {
    const result = readForeign(bytesOf(row(1, 0, 5, 4, 4, 20)), "x", "constructor");
    expect(result.ok ? "" : result.error[0]?.remedy).toContain("swf");
  });

  test("more queues than a run can tell apart fall together in one without a name", () => {
    const most = LIMITS.traceQueues;
    const rows = Array.from(
      { length: most + 3 },
      (_, queue) => `${queue} ${queue} -1 1 1 -1 -1 1 -1 -1 1 1 1 -1 ${queue} 1 -1 -1\n`,
    );
    const { workload } = read(rows.join(""));
    expect(workload.noted.queueBeyond).toBe(3);
    expect(workload.queues).toHaveLength(most + 1);
    expect([...workload.at.queue].map((queue) => workload.queues[queue]).slice(-4)).toEqual([
      String(most - 1),
      "",
      "",
      "",
    ]);
    expect(noteSentences(workload.noted).join(" ")).toContain("32\u202f768");
  });

  test("any bytes at all", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => void readForeign(bytes, "x")),
    );
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 500 }),
        (bytes) => void readForeign(bytes, "x", "swf"),
      ),
    );
  });
});
