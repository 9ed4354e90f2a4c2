import { describe, expect, test } from "vitest";
import { readForeign } from "../../src/formats/registry.ts";
import { nameOf } from "../../src/model/jobs.ts";
import { LIMITS } from "../../src/model/limits.ts";
import { must } from "../scenario/scenarios.ts";

const read = (text: string) => readForeign(new TextEncoder().encode(text), "cluster.csv");

describe("ITP clusters", () => {
  test("columns may stand in any order, quoted or with a byte order mark", () => {
    const { facts, workload } = must(
      read(
        '\uFEFFnum_gpu,job_id,"submission_time",duration\r\n8,"a,1",100,3600\r\n2,b,40,1800\r\n',
      ),
    );
    expect(facts).toMatchObject({
      format: "itp-raw",
      jobs: 2,
      submitFirstSec: 40,
      submitLastSec: 100,
      gpuHours: 9,
      maxGpus: 8,
      cpuHours: null,
      users: null,
    });
    expect([nameOf(workload.ids, 0), workload.at.submitMs[0], workload.at.devices[0]]).toEqual([
      "a,1",
      100_000,
      8,
    ]);
    expect([workload.firstSubmitMs, workload.noted]).toEqual([
      40_000,
      { outOfOrder: 1, noLimit: 2 },
    ]);
  });

  test("a deadline column makes it an ElasticFlow file; the deadline is no time limit", () => {
    const { facts, workload } = must(
      read(
        "job_id,submission_time,num_iteration,model_name,deadline,batch_size,num_gpu,duration\na,0,9,vgg,500,32,1,100\n",
      ),
    );
    expect([facts.format, workload.at.limitMs[0]]).toEqual(["itp-ef", Number.POSITIVE_INFINITY]);
  });

  test("rows that cannot run are counted by reason", () => {
    const { facts, workload } = must(
      read(
        "job_id,submission_time,duration,num_gpu\na,0,10,0\nb,0,-5,1\nc,0,,1\nd,0,10,1\nd,5,0,1\n\n",
      ),
    );
    expect(facts.skipped).toEqual({ noGpus: 1, runUnknown: 1, badRow: 1 });
    expect([facts.jobs, workload.count, nameOf(workload.ids, 1)]).toEqual([4, 2, "d#4"]);
  });

  test("a missing column is a problem of line 1", () => {
    const result = readForeign(
      new TextEncoder().encode("job_id,duration,num_gpu\n"),
      "x.csv",
      "itp-raw",
    );
    expect(result.ok ? "" : result.error[0]).toMatchObject({ place: "x.csv, line 1" });
  });
});

test("more jobs than a run may have are refused when the file is read, not after its dialog", () => {
  const header = "job_id,submission_time,duration,num_gpu\n";
  const read = readForeign(
    new TextEncoder().encode(header + "a,0,1,1\n".repeat(LIMITS.jobs + 1)),
    "many.csv",
  );
  expect(!read.ok && read.error[0]?.message).toContain("at most 2\u202f000\u202f000");
});
