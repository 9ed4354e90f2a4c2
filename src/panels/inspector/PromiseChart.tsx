/**
 * The promised start as it moved since the job was queued: a step line of promises, against a dashed line of the start that
 * really happens in this run. A planner's promise moves when running jobs end early, or when others come in front.
 */
import { clockNear, clockText } from "../../base/format.ts";
import { type JobStory, promisesOf } from "../../timeline/jobStory.ts";

interface PromiseProps {
  readonly story: JobStory;
  readonly atMs: number;
  readonly submitMs: number;
  /** `Infinity` where the start is not known. */
  readonly startMs: number;
  readonly calendar: string | undefined;
}

const WIDTH = 240;
const HEIGHT = 36;

export function PromiseChart({ story, atMs, submitMs, startMs, calendar }: PromiseProps) {
  const promises = promisesOf(story, atMs).filter(
    (promise) => promise.atMs >= submitMs && Number.isFinite(promise.startMs),
  );
  const last = promises.at(-1);
  if (!last) return null;
  const known = Number.isFinite(startMs);
  let least = known ? startMs : last.startMs;
  let most = least;
  for (const promise of promises) {
    least = Math.min(least, promise.startMs);
    most = Math.max(most, promise.startMs);
  }
  const x = (ms: number) =>
    (WIDTH * (ms - promises[0]!.atMs)) / Math.max(1, atMs - promises[0]!.atMs);
  const y = (ms: number) =>
    most === least ? HEIGHT / 2 : 3 + ((HEIGHT - 6) * (most - ms)) / (most - least);
  let path = "";
  for (const promise of promises) {
    path +=
      path === ""
        ? `M${x(promise.atMs).toFixed(1)} ${y(promise.startMs).toFixed(1)}`
        : `H${x(promise.atMs).toFixed(1)}V${y(promise.startMs).toFixed(1)}`;
  }
  path += `H${WIDTH}`;
  const moved =
    promises.length === 1 ? "It has not moved." : `It moved ${promises.length - 1} times.`;
  return (
    <section aria-label="Promised start">
      <h3>Promised start, as it moved since {clockNear(promises[0]!.atMs, atMs, calendar)}</h3>
      <div className="promise">
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Promised start now ${clockText(last.startMs, calendar)}. ${moved}`}
        >
          {known && <path className="promise-real" d={`M0 ${y(startMs).toFixed(1)}H${WIDTH}`} />}
          <path className="promise-line" d={path} />
        </svg>
        <span className="promise-label" style={{ top: `${(100 * y(last.startMs)) / HEIGHT}%` }}>
          {clockNear(last.startMs, atMs, calendar)}
        </span>
        {known && Math.abs(y(startMs) - y(last.startMs)) > 10 && (
          <span className="promise-label quiet" style={{ top: `${(100 * y(startMs)) / HEIGHT}%` }}>
            {clockNear(startMs, atMs, calendar)}
          </span>
        )}
      </div>
    </section>
  );
}
