/** The head of the queue in one line above the lanes, and its mark on them: who is first, what is kept for it, who may pass and whose end it waits for. */
import { useEffect } from "react";
import { policyAt } from "../../scenario/policyAt.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { presetOf } from "../../scenario/settings.ts";
import { run } from "../../store/commands.ts";
import { type QueueHead, useQueueHeads } from "../../store/queueHeads.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { headWords, ruleOf } from "./headWords.ts";

interface HeadNoteProps {
  /** Marks the heads on the lanes. */
  readonly onHeads?: (heads: readonly QueueHead[]) => void;
}

const NOBODY: readonly QueueHead[] = [];

export function HeadNote({ onHeads }: HeadNoteProps) {
  const { stage } = useRunData();
  const scenario = useApp((state) => state.scenario);
  const selected = useApp((state) =>
    state.selection?.kind === "job" ? state.selection.jobIdx : -1,
  );
  const heads = useQueueHeads();
  useEffect(() => {
    onHeads?.(heads);
    return () => onHeads?.(NOBODY);
  }, [heads, onHeads]);
  if (!stage || !scenario) return null;
  const pool = selected < 0 ? -1 : stage.poolOfJob[selected];
  const head =
    heads.find((one) => one.pool === pool) ??
    heads.find((one) => Number.isFinite(one.why.plannedMs)) ??
    heads[0];
  if (!head) return null;
  const label = jobLabel(stage.jobs, head.jobIdx);
  const { kept, passing, holders } = headWords(head.why, ruleAt(scenario, head), {
    nowMs: head.atMs,
    ...(scenario.calendarStart === undefined ? {} : { calendarStart: scenario.calendarStart }),
    deviceWord: stage.cluster.deviceWord,
    devicesPerNode: stage.cluster.groups.reduce(
      (most, group) => Math.max(most, group.gpusPerNode),
      0,
    ),
    jobLabel: (jobIdx) => jobLabel(stage.jobs, jobIdx),
  });
  const where = heads.length > 1 ? ` in ${stage.poolIds[head.pool] ?? ""}` : "";
  const rest = [kept, passing, holders].filter((part) => part !== "").join("; ");
  return (
    <span className="head-note" title={`First${where}: ${label}, ${rest}.`}>
      first{where}:{" "}
      <button
        type="button"
        className="head-job"
        onClick={() => run("selectJob", { jobIdx: head.jobIdx })}
      >
        {label}
      </button>
      , {rest}
    </span>
  );
}

function ruleAt(scenario: Scenario, head: QueueHead) {
  const { preset, settings } = policyAt(scenario, scenario.pools[head.pool]?.id ?? "", head.atMs);
  const specs = presetOf(preset)?.settings ?? [];
  return ruleOf(preset, (key) => settings[key] ?? specs.find((spec) => spec.key === key)?.standard);
}
