import { describe, expect, test } from "vitest";
import type { FieldCase } from "../../src/cli/conformance/fieldCaseFile.ts";
import { handComputed } from "../../src/cli/conformance/fieldCaseHand.ts";
import { addPresets } from "../../src/cli/presets.ts";

addPresets();

type Parts = { expected?: object; observed?: object; cluster?: object };

function outcomeOf(words: string, { expected = {}, observed = {}, cluster = { pool: 8 } }: Parts) {
  const one = {
    id: "x",
    kind: "x",
    scenario: { cluster, jobs_text: words },
    hand_computed: { expected, observed },
  } as unknown as FieldCase;
  return [...handComputed(one)].map((outcome) =>
    outcome.kind === "fail" ? `fail ${outcome.message}` : outcome.kind,
  );
}

const nodes = (count: number, gpus: number) => ({
  nodes: Array.from({ length: count }, (_, n) => ({ id: `n${n}`, gpus })),
});

describe("statements worked out by hand are run with other numbers too", () => {
  test("a time limit with checkpoints: 300 of 320 minutes are saved, 10 + 200 are left", () => {
    const words = "work 500 min, limit 320 min, restart cost 10 min";
    const expected = {
      policy: "checkpoint every 50 min of work",
      attempt1: "0-320, saved 300",
      end: 530,
      with_save_at_signal: { end: 510 },
    };
    expect(outcomeOf(words, { expected })).toEqual(["pass"]);
    expect(outcomeOf(words, { expected: { ...expected, end: 531 } })).toEqual([
      "fail end: expected 531, came 530",
    ]);
  });

  test("an elastic job that loses a node: 10 × 5 done, 2 of pause, 250 ÷ 4 to go", () => {
    const words = "elastic min 2 max 5, work 300 node-min, linear speed-up; at 10 one node goes";
    const expected = { lose_1_end: 74.5, lose_2_end: 10 + 2 + 250 / 3, arith: "pause 2" };
    expect(outcomeOf(words, { expected, cluster: nodes(5, 1) })).toEqual(["pass"]);
  });

  test("a victim that never leaves is given up: 5 + 20, then 8 of grace", () => {
    const words =
      "a on n0 (hangs on termination for ever), b on n1 (leaves after 8 min grace); TOP 4 GPUs at 5";
    const expected = { policy: "nomination expires after 20 min, then another", TOP_start: 33 };
    expect(outcomeOf(words, { expected, cluster: nodes(2, 4) })).toEqual(["pass"]);
  });

  test("a gang that lost a node is completed first", () => {
    const words =
      "G: gang of 4 x 1 GPU from 0, runtime 100 of useful time; node n1 down 30-45; X: 1 GPU, runtime 50, submitted 40";
    const expected = {
      policy: "a gang below its minimum is completed before new jobs of equal priority",
      G_resumes: 45,
      X_start: "after G",
      wasted_gpu_minutes: 45,
    };
    expect(outcomeOf(words, { expected, cluster: nodes(4, 1) })).toEqual(["pass"]);
  });

  test("leaf groups: gangs of four under leaves of 3, 4, 5 and 9 nodes", () => {
    const words = "four-node gangs arriving one after another, empty cluster, runtime 20";
    const expected = { gangs_running_at_once: 4, fifth_gang_start: 20, soft_gangs_at_once: 5 };
    const cluster = { leaf_sizes: [3, 4, 5, 9] };
    expect(outcomeOf(words, { expected, cluster })).toEqual(["pass"]);
    const [wrong] = outcomeOf(words, { expected: { gangs_running_at_once: 5 }, cluster });
    expect(wrong).toBe("fail gangs_running_at_once: expected 5, came 4");
  });

  test("placement groups that fit nowhere, and those that fit apart", () => {
    const expected = {
      verdict: "never (6 GPUs on one node)",
      with_PACK: "starts at 0 on three nodes",
    };
    const words = "placement group 3 x {GPU 2}, STRICT_PACK";
    expect(outcomeOf(words, { expected, cluster: nodes(3, 3) })).toEqual(["pass"]);
    const [wrong] = outcomeOf(words, { expected, cluster: nodes(3, 6) });
    expect(wrong).toBe("fail verdict: expected never, came 0");
  });

  test("MIG layouts: what first fit leaves out and a search finds", () => {
    const gpu =
      "7 compute / 8 memory slices; placements 1g:{0..6}x1, 2g:{0,2,4}x2, 3g:{0,4}x4, 4g:{0}x4";
    const words = "layout A = 2g then 4g; layout B = 2 x 3g + 1 x 1g";
    const observed = { first_fit: { A: "2g at 0, 4g missing", B: "2 created, 1 missing" } };
    const expected = { A: "feasible: 4g at 0, 2g at 4", B: "infeasible in any order" };
    expect(outcomeOf(words, { expected, observed, cluster: { gpu } })).toEqual(["pass"]);
    const [wrong] = outcomeOf(words, { expected: { B: "feasible" }, cluster: { gpu } });
    expect(wrong).toBe("fail B is feasible: expected true, came false");
  });

  test("queues: above its due nobody takes, below it one takes what is due", () => {
    const due = "queue P due 10 uses 15; queue M due 20 uses 15; WHO asks for 2 more";
    const cluster = { pool: 30 };
    const says = (who: string, evictions: number) =>
      outcomeOf(due.replace("WHO", who), { expected: { evictions }, cluster });
    expect(says("P", 0)).toEqual(["pass"]);
    expect(says("M", 2)).toEqual(["pass"]);
    const pods = "A: 9 pods running in queue a; B: 9 pods, 1 fit; equal weights, deserved 5:5";
    const expected = { evictions: 4, final: "5:5" };
    expect(outcomeOf(pods, { expected, cluster: { pool: 10 } })).toEqual(["pass"]);
  });

  test("a newcomer gets its quota, or half", () => {
    const words =
      "ann: 8 one-GPU jobs from 0, runtime 100; ben (quota 3): 8 one-GPU jobs at 20, runtime 100; equal weights";
    const observed = { policy: "reclaim to quota", ben_gpus_at_20: 3, ben_gpus_at_100: 8 };
    const expected = { policy: "reclaim to fair share", ben_gpus_at_20: 4, evictions: 4 };
    expect(outcomeOf(words, { observed, expected })).toEqual(["pass"]);
  });

  test("what no reader knows is skipped", () =>
    expect(outcomeOf("something happens", { expected: { evictions: 0 } })).toEqual(["skip"]));
});
