/** What the last change did: a sentence, the jobs that moved most, and the way to see both futures side by side. */
import type { RunMetrics } from "../../../metrics/runMetrics.ts";
import { run } from "../../../store/commands.ts";
import type { RunData } from "../../../store/runData.ts";
import { Button } from "../../../ui/Button.tsx";
import { effectSentence } from "./effect.ts";
import { MovedList } from "./MovedList.tsx";
import { useMoved } from "./useMoved.ts";
import "./effect.css";

interface EffectCardProps {
  readonly data: RunData;
  readonly before: RunMetrics;
  readonly now: RunMetrics;
}

export function EffectCard({ data, before, now }: EffectCardProps) {
  const { stage, ghost, current } = data;
  const comparison = useMoved(stage, ghost, stage, current);
  if (!stage || !ghost) return null;
  const { tiers, cluster } = stage;
  return (
    <div className="effect">
      <p className="effect-sentence" role="status">
        {comparison
          ? effectSentence(before, now, comparison.moved, tiers, cluster.deviceWord)
          : "Looking for the jobs that moved …"}
      </p>
      {comparison && comparison.moved.most.length > 0 && (
        <details>
          <summary>The jobs that moved most</summary>
          <MovedList jobs={comparison.moved.most} stage={stage} before="before" now="now" />
        </details>
      )}
      <Button
        label="Compare with before"
        hint="Both futures under one clock: A before the change, B now"
        onClick={() => run("compareWithBefore")}
      />
    </div>
  );
}
