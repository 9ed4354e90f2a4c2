/** The gallery of built-in scenarios: a picture of the cluster, a title, a question, and how large it is. */

import { countText, durationText } from "../../base/format.ts";
import { LIBRARY, libraryScenario } from "../../scenario/library/index.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { standardTier } from "../../scenario/standardTier.ts";
import { run } from "../../store/commands.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { positionOfTier } from "../../theme/palette.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { openEntry } from "../openEntry.ts";

export function LibraryDialog() {
  const baseId = useApp((state) => state.baseId);
  const leave = (next: () => void) => () => {
    closeDialog();
    next();
  };
  return (
    <Dialog
      title="Library"
      description="Each opens at a moment worth looking at. Your present work stays one Undo away."
      size="large"
      open
      onClose={closeDialog}
      actions={
        <>
          <Button label="Recent scenarios" onClick={() => run("openRecent")} />
          <Button label="New scenario" onClick={leave(() => run("newScenario"))} />
          <Button label="Open a file" onClick={leave(() => run("openFile"))} />
        </>
      }
    >
      <div className="library">
        {LIBRARY.map((entry) => {
          const scenario = libraryScenario(entry.id);
          return (
            <button
              key={entry.id}
              type="button"
              className="library-card"
              aria-current={entry.id === baseId}
              onClick={leave(() => void openEntry(entry.id))}
            >
              {scenario && <ClusterPicture scenario={scenario} />}
              <strong>{entry.title}</strong>
              <p>{entry.question}</p>
              {scenario && <small>{sizeOf(scenario)}</small>}
            </button>
          );
        })}
      </div>
    </Dialog>
  );
}

function sizeOf(scenario: Scenario): string {
  const groups = scenario.cluster.nodeGroups;
  const nodes = groups.reduce((sum, group) => sum + group.count, 0);
  const gpus = groups.reduce((sum, group) => sum + group.count * group.gpus, 0);
  const spelled = scenario.workload.jobs.length;
  const drawn = scenario.workload.synthetic.length > 0;
  const jobs = drawn ? "drawn workload" : countText(spelled, "job");
  const horizon = scenario.horizonMs === undefined ? "" : ` · ${durationText(scenario.horizonMs)}`;
  return `${countText(nodes, "node")} · ${countText(gpus, "GPU")} · ${jobs}${horizon}`;
}

const WIDTH = 240;
const HEIGHT = 56;

/** The first jobs of the document, or what it draws on average, by time and size: enough to tell one scenario from another. */
function ClusterPicture({ scenario }: { readonly scenario: Scenario }) {
  const { jobs, synthetic } = scenario.workload;
  const tierIdx = (id: string | undefined): number => {
    const index = scenario.tiers.findIndex((tier) => tier.id === id);
    return index < 0 ? standardTier(scenario.tiers.length) : index;
  };
  const tierFill = (tier: number) =>
    `var(--tier${positionOfTier(tier, scenario.tiers.length) + 1})`;
  const latestMs = Math.max(1, ...jobs.map((job) => job.submitMs + job.workMs));
  const bars = jobs.slice(0, 60).map((job, row) => {
    const size = job.gpus ?? (job.nodes ?? 1) * (job.gpusPerNode ?? 1);
    return {
      key: job.id,
      x: (job.submitMs / latestMs) * WIDTH,
      width: Math.max(2, (job.workMs / latestMs) * WIDTH),
      y: (row * 13) % (HEIGHT - 6),
      height: Math.min(18, 2 + Math.sqrt(size) * 2),
      tier: tierIdx(job.tier),
    };
  });
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {bars.map((bar) => (
        <rect
          key={bar.key}
          x={bar.x}
          y={bar.y}
          width={bar.width}
          height={bar.height}
          fill={tierFill(bar.tier)}
          stroke="var(--bg)"
        />
      ))}
      {jobs.length === 0 &&
        synthetic.flatMap((entry, place) =>
          drawnBars(entry, place).map((bar) => (
            <rect
              key={`${entry.id} ${bar.x}`}
              {...bar}
              fill={tierFill(tierIdx(entry.tier))}
              stroke="var(--bg)"
            />
          )),
        )}
    </svg>
  );
}

const PICTURE_MS = 8 * 3_600_000;
const BARS_MOST = 40;
/** Low-discrepancy steps: bars of one kind spread over the height without a pattern. */
const GOLDEN = 0.618;

/** Eight hours of a drawn workload as it is on average: how often jobs come, how long they are, how many GPUs they ask for. */
function drawnBars(entry: Scenario["workload"]["synthetic"][number], place: number) {
  const weight = entry.gpus.reduce((sum, { weight }) => sum + weight, 0);
  const gpus = entry.gpus.reduce((sum, { value, weight }) => sum + value * weight, 0) / weight;
  const height = Math.min(18, 2 + Math.sqrt(gpus) * 2);
  const count = Math.max(1, Math.min(BARS_MOST, (entry.arrivals.perHour * PICTURE_MS) / 3_600_000));
  const width = Math.max(2, Math.min(WIDTH / 2, (entry.work.medianMs / PICTURE_MS) * WIDTH));
  return Array.from({ length: Math.round(count) }, (_, index) => ({
    x: ((index + 0.5) / count) * WIDTH - width / 2,
    y: (((index + 1) * GOLDEN + place * 0.37) % 1) * (HEIGHT - height),
    width,
    height,
  }));
}
