import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { conformance } from "../../src/cli/conformance/conformance.ts";
import { schedVectors } from "../../src/cli/conformance/schedVectors.ts";
import { agentStep, restartBudget } from "../../src/model/lab/torchrun.ts";

const here = fileURLToPath(new URL("vectors", import.meta.url));

function run(file: string) {
  const lines: string[] = [];
  const totals = conformance([join(here, file)], (line) => lines.push(line));
  return { totals, failures: lines.filter((line) => line.startsWith("FAIL")) };
}

describe("elastic training as documented", () => {
  test("DeepSpeed's rule gives the batch and the numbers of GPUs of its own tests", () => {
    const { totals, failures } = run("elastic-training.batch-size.json");
    expect(failures).toEqual([]);
    expect(totals).toEqual({ passed: 4, failed: 0, skipped: 0 });
  });

  test("an agent of torchrun counts restarts as its loop does", () => {
    const { totals, failures } = run("elastic-training.restart-budget.json");
    expect(failures).toEqual([]);
    expect(totals).toEqual({ passed: 3, failed: 0, skipped: 0 });
  });

  test("a vector that says something else fails, with the field named", () => {
    const input = { microBatches: [8, 10, 12], maxBatch: 100, minGpus: 1, maxGpus: 1500 };
    const content = {
      system: "elastic-training",
      check: "batch-size",
      cases: [{ id: "x", input, expect: { batch: 95 } }],
    };
    const outcomes = [...schedVectors({ path: "", folder: "", stem: "", content })];
    expect(outcomes).toEqual([{ kind: "fail", id: "x", message: "batch is 96, expected 95" }]);
  });

  test("below its minimum a group waits without spending anything, and goes on with the restart already begun", () => {
    let view = { budget: restartBudget(1), nodes: 3, waiting: false };
    const step = (type: "nodesJoin" | "nodesLeave", count: number) => {
      view = agentStep(view, { type, count }, 3, 4);
    };
    step("nodesLeave", 1);
    expect(view).toEqual({
      budget: { left: 0, groupRestarts: 1, failed: false },
      nodes: 2,
      waiting: true,
    });
    step("nodesLeave", 1);
    step("nodesJoin", 3);
    expect(view).toEqual({
      budget: { left: 0, groupRestarts: 1, failed: false },
      nodes: 4,
      waiting: false,
    });
    step("nodesLeave", 1);
    expect(view.budget.failed).toBe(true);
  });
});
