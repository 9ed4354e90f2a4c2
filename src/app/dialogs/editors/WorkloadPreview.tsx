/** What a workload comes to: jobs and load in words, and arrivals, sizes and durations as the run will draw them, in pictures and in numbers. */
import { useEffect, useState } from "react";
import { countText, durationText, numberText } from "../../../base/format.ts";
import type { Scenario } from "../../../scenario/schema.ts";
import { runSliced } from "../../../store/sliced.ts";
import {
  DURATION_ENDS,
  MOST_DRAWN,
  type WorkloadPreview as Preview,
  previewSteps,
} from "../../../workload/preview.ts";

const BINS = 96;
const REST_MS = 120;
const HOUR_MS = 3_600_000;
/** More sizes than this are put together into powers of two. */
const SIZES_MOST = 12;
/** With more bars every second one has its word. */
const TICKS_MOST = 8;

export function WorkloadPreview({ scenario }: { readonly scenario: Scenario }) {
  const preview = usePreview(scenario);
  if (!preview) return <p className="part-note">Drawing the jobs …</p>;
  const word = scenario.cluster.flat ? "processor" : "GPU";
  const cut = preview.sources.filter((source) => source.cut);
  if (preview.jobs === 0)
    return (
      <>
        <h3>What the run will draw</h3>
        <p className="editor-load" role="status">
          {nothingWords(scenario)}
        </p>
      </>
    );
  return (
    <>
      <h3>What the run will draw</h3>
      <p className="editor-load" role="status">
        {loadWords(preview, scenario, word)}
      </p>
      {cut.length > 0 && (
        <p className="part-note">
          Of {cut.map(({ id }) => id).join(", ")} only the first {numberText(MOST_DRAWN)} jobs are
          drawn here.
        </p>
      )}
      <Bars
        title="Arrivals"
        unit={`in ${durationText(preview.spanMs / BINS)} each`}
        bars={[...preview.arrivals].map((jobs, bin) => ({
          label: durationText((preview.spanMs * bin) / BINS),
          jobs,
        }))}
        ends={["0", durationText(preview.spanMs)]}
      />
      <Bars title="Sizes" unit={`${word}s`} bars={sizeBars(preview)} />
      <Bars title="Run times" unit="at reference speed" bars={durationBars(preview)} />
      {preview.sources.length > 1 && <Sources preview={preview} word={word} />}
    </>
  );
}

/** Computed a moment after the last change, in slices. */
function usePreview(scenario: Scenario): Preview | null {
  const [known, setKnown] = useState<Preview | null>(null);
  useEffect(() => runSliced(previewSteps(scenario, BINS), setKnown, REST_MS), [scenario]);
  return known;
}

function nothingWords({ workload: { trace } }: Scenario): string {
  return trace
    ? `Nothing: all its jobs come from ${trace.name}.`
    : "No jobs: the cluster would stand idle.";
}

function loadWords({ jobs, deviceMs, load }: Preview, { cluster }: Scenario, word: string): string {
  const devices = cluster.nodeGroups.reduce((sum, { count, gpus }) => sum + count * gpus, 0);
  const work = `${countText(jobs, "job")}, ${numberText(deviceMs / HOUR_MS)} ${word}-hours`;
  if (load !== null) {
    const too = load > 1 ? ": more than it can do, so the queue grows" : "";
    return `${work}. It offers ${numberText(load, 2)} of the cluster${too}.`;
  }
  return `${work}: ${durationText(deviceMs / Math.max(1, devices))} of the whole cluster at the least.`;
}

interface Bar {
  readonly label: string;
  readonly jobs: number;
}

function sizeBars({ sizes }: Preview): Bar[] {
  if (sizes.length <= SIZES_MOST)
    return sizes.map(({ devices, jobs }) => ({ label: numberText(devices), jobs }));
  const bars = new Map<number, number>();
  for (const { devices, jobs } of sizes) {
    let top = 1;
    while (top < devices) top *= 2;
    bars.set(top, (bars.get(top) ?? 0) + jobs);
  }
  return [...bars].map(([top, jobs]) => ({ label: `≤ ${numberText(top)}`, jobs }));
}

function durationBars({ durations }: Preview): Bar[] {
  const bars = [...durations].map((jobs, bin) => ({
    label:
      bin < DURATION_ENDS.length
        ? `< ${durationText(DURATION_ENDS[bin]!)}`
        : `≥ ${durationText(DURATION_ENDS.at(-1)!)}`,
    jobs,
  }));
  const used = bars.flatMap(({ jobs }, bin) => (jobs > 0 ? [bin] : []));
  return bars.slice(used[0] ?? 0, (used.at(-1) ?? -1) + 1);
}

interface BarsProps {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  /** Words under both ends instead of one under each bar. */
  readonly ends?: readonly [string, string];
}

/** The picture is told in words, bar by bar, where there are few; else by its most. */
function Bars({ title, unit, bars, ends }: BarsProps) {
  const most = bars.reduce((top, { jobs }) => Math.max(top, jobs), 0);
  const peak = bars.find(({ jobs }) => jobs === most);
  const words = ends
    ? `up to ${countText(most, "job")}, at ${peak?.label ?? "–"}`
    : bars.map(({ label, jobs }) => `${label}: ${numberText(jobs)}`).join(", ");
  return (
    <figure className="editor-bars">
      <figcaption>
        {title}{" "}
        <small>
          {unit}; most: {numberText(most)}
        </small>
      </figcaption>
      <div className="editor-plot" role="img" aria-label={`${title}: ${words}`}>
        {bars.map(({ label, jobs }) => (
          <i
            key={label}
            title={`${label}: ${countText(jobs, "job")}`}
            style={{ height: `${most === 0 ? 0 : (jobs / most) * 100}%` }}
          />
        ))}
      </div>
      <div
        className="editor-ticks"
        data-ends={ends ? "" : undefined}
        data-dense={!ends && bars.length > TICKS_MOST ? "" : undefined}
        aria-hidden
      >
        {ends
          ? ends.map((end) => <small key={end}>{end}</small>)
          : bars.map(({ label }) => <small key={label}>{label}</small>)}
      </div>
    </figure>
  );
}

function Sources({ preview, word }: { readonly preview: Preview; readonly word: string }) {
  return (
    <table className="editor-sources">
      <thead>
        <tr>
          <th scope="col">from</th>
          <th scope="col" className="number">
            jobs
          </th>
          <th scope="col" className="number">
            {word}-hours
          </th>
        </tr>
      </thead>
      <tbody>
        {preview.sources.map(({ id, jobs, deviceMs }) => (
          <tr key={id}>
            <th scope="row">{id === "" ? "single jobs" : id}</th>
            <td className="number">{numberText(jobs)}</td>
            <td className="number">{numberText(deviceMs / HOUR_MS)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
