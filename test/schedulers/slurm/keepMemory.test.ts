/** A configuration that changes while Slurm runs: what it knows of jobs, users and reservations stays. */
import { describe, expect, test } from "vitest";
import { outcomeOf } from "../slurmDocs.ts";

function run(conf: readonly string[], events: readonly string[]) {
  const { jobs } = outcomeOf({ title: "", unitSec: 1, conf, events, drawing: "" });
  return (id: string) => {
    const { runs, reasons, refused } = jobs.get(id)!;
    const [first] = runs;
    return {
      startSec: first === undefined ? null : Math.floor(first.startMs / 1_000),
      reasons: reasons.map((one) => one.reason),
      refused,
    };
  };
}

describe("a changed configuration", () => {
  test("a partition that drains refuses new jobs and starts those that wait already", () => {
    const job = run(
      [],
      [
        "0 A alice 20s -N4 --gpus-per-node=8 -t5",
        "3 C bob 10s -N1 --gpus-per-node=8 -t5",
        "5 scontrol update partitionname=main state=DRAIN",
        "8 B bob 10s -N1 --gpus-per-node=8 -t5",
      ],
    );
    expect(job("C")).toMatchObject({ startSec: 20, refused: null });
    expect(job("B")).toMatchObject({ startSec: null, refused: "PartitionDown" });
  });

  test("held jobs stay held and keep their niceness", () => {
    const job = run(
      [],
      [
        "0 A alice 20s -N4 --gpus-per-node=8 -t5",
        "1 B alice 5s -N4 --gpus-per-node=8 -t5 --nice=10",
        "2 C bob 5s -N4 --gpus-per-node=8 -t5",
        "3 D bob 5s -N4 --gpus-per-node=8 -t5",
        "4 scontrol hold @C",
        "6 sacctmgr -i add qos other",
        "40 scontrol release @C",
      ],
    );
    expect(job("C")).toMatchObject({ startSec: 40 });
    expect(job("C").reasons.at(-1)).toBe("JobHeldAdmin");
    expect([job("D").startSec, job("B").startSec]).toEqual([20, 25]);
  });

  test("reservations stay", () => {
    const job = run(
      [],
      [
        "1 scontrol create reservation reservationname=r starttime=now+20 duration=1 nodes=n[1-4] users=bob",
        "2 sacctmgr -i add qos other",
        "3 A alice 5s -N1 --gpus-per-node=8 -t1",
      ],
    );
    expect(job("A").startSec).toBe(81);
  });

  test("usage stays: who has had the machine comes last", () => {
    const job = run(
      [
        "PriorityType=priority/multifactor",
        "PriorityCalcPeriod=1",
        "PriorityWeightFairshare=10000",
        "PartitionName=main Nodes=ALL Default=YES DefaultTime=10 TRESBillingWeights=GRES/gpu=1.0",
      ],
      [
        "0 X alice 80s -N4 --gpus-per-node=8 -t5",
        "10 A alice 20s -N4 --gpus-per-node=8 -t5",
        "20 B bob 20s -N4 --gpus-per-node=8 -t5",
        "75 sacctmgr -i add qos other",
      ],
    );
    expect([job("B").startSec, job("A").startSec]).toEqual([80, 100]);
  });

  test("a grace that runs goes on", () => {
    const job = run(
      [
        "PriorityType=priority/multifactor",
        "PreemptType=preempt/qos",
        "PreemptMode=REQUEUE",
        "sacctmgr add qos low,high",
        "sacctmgr modify qos low set priority=10 gracetime=5",
        "sacctmgr modify qos high set priority=100 preempt=low",
        "sacctmgr modify user alice,bob set qos=low,normal,high defaultqos=normal",
      ],
      [
        "0 A alice 60s -N4 --gpus-per-node=8 -t5 -qlow",
        "18 H bob 10s -N1 --gpus-per-node=8 -t1 -qhigh",
        "20 sacctmgr -i add qos other",
      ],
    );
    expect(job("H").startSec).toBe(24);
  });
});
