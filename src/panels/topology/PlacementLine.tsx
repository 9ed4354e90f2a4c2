/** One sentence: how the selected job is placed at the cursor, and what a better placement would save. */
import { useMemo } from "react";
import type { Stage } from "../../protocol/messages.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { jobLabel } from "../../timeline/jobNames.ts";
import { jobStoryOf } from "../../timeline/jobStory.ts";
import { trafficOfJob } from "../../timeline/topologyMap/mapContention.ts";
import { placementOf, speedStory } from "../../timeline/topologyMap/mapPlacement.ts";
import { placementWords } from "./mapWords.ts";

const HINT =
  "Click a node, a leaf or its links to select it; a node once more for the job on a device. A selected job shows how it is placed.";

const FLAT_HINT = "Click a processor to select its job.";

export function PlacementLine({ stage }: { readonly stage: Stage }) {
  const selection = useApp((state) => state.selection);
  const jobIdx = selection?.kind === "job" ? selection.jobIdx : -1;
  // Its line is always there: what is below must not jump when something else is selected.
  if (jobIdx < 0)
    return <p className="map-placement map-hint">{stage.cluster.flat ? FLAT_HINT : HINT}</p>;
  return <OfJob stage={stage} jobIdx={jobIdx} />;
}

function OfJob({ stage, jobIdx }: { readonly stage: Stage; readonly jobIdx: number }) {
  const { current } = useRunData();
  const atMs = useCursorMs();
  const modelled = useApp((state) => state.scenario?.cluster.network !== undefined);
  const story = useMemo(() => jobStoryOf(current, jobIdx), [current, jobIdx]);
  const words = useMemo(() => {
    const label = jobLabel(stage.jobs, jobIdx);
    const jobOfDevice = new Int32Array(stage.cluster.deviceCount).fill(-1);
    for (const { startMs, endMs, device, deviceCount } of story.rects)
      if (startMs <= atMs && atMs < endMs) jobOfDevice.fill(jobIdx, device, device + deviceCount);
    const placement = placementOf(stage.cluster, stage.jobs, jobOfDevice, jobIdx);
    if (!placement) return `Job ${label} holds nothing at the cursor.`;
    const talks = modelled && trafficOfJob(stage, jobIdx) !== undefined;
    const speed = talks ? speedStory(story, atMs, current.knownMs) : null;
    return placementWords(
      label,
      stage.cluster.deviceWord,
      hasParts(stage, jobIdx),
      stage.cluster.hasFabric,
      placement,
      speed,
    );
  }, [stage, story, jobIdx, atMs, current, modelled]);
  return (
    <p className="map-placement" aria-live="polite" title={words}>
      {words}
    </p>
  );
}

/** The first component tells: a job has whole devices or parts of them. */
function hasParts({ jobs }: Stage, jobIdx: number): boolean {
  const first = jobs.at.firstComponent[jobIdx]!;
  return (jobs.components.shareMilli[first] ?? 0) > 0 || (jobs.components.mig[first] ?? 0) > 0;
}
