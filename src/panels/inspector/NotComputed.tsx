/** Said in place of an answer about a time that the simulation has not reached: what is not known is not guessed. */
import { clockText } from "../../base/format.ts";
import type { Future } from "../../store/runData.ts";

/** True where nothing can be said about `atMs` yet. */
export function isUnknown(future: Future, atMs: number): boolean {
  return !future.done && atMs > future.knownMs;
}

export function NotComputed({
  future,
  atMs,
  calendar,
}: {
  readonly future: Future;
  readonly atMs: number;
  readonly calendar: string | undefined;
}) {
  return (
    <p className="why">
      <b>{clockText(atMs, calendar)} is not computed yet.</b> The run is known up to{" "}
      {clockText(future.knownMs, calendar)}.
    </p>
  );
}
