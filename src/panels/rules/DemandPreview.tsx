/** The demand of a service as a picture: requests a second over a day or two, as the run will draw it. */
import { useMemo } from "react";
import { readCivil } from "../../base/civilDate.ts";
import { durationText, numberText } from "../../base/format.ts";
import type { Json } from "../../base/json.ts";
import type { ServiceEntry } from "../../scenario/schema.ts";
import { demandSteps } from "../../workload/lab/demand.ts";
import { readDemand } from "./readDemand.ts";

const WIDTH = 480;
const HEIGHT = 64;
const SHOWN_MS = 2 * 86_400_000;
const MOST_POINTS = 2_000;

interface PreviewProps {
  readonly demand: Json | undefined;
  readonly calendarStart: string | undefined;
  readonly untilMs: number | undefined;
}

export function DemandPreview({ demand, calendarStart, untilMs = SHOWN_MS }: PreviewProps) {
  const read = useMemo(() => readDemand(demand), [demand]);
  const shownMs = Math.max(1, Math.min(untilMs, SHOWN_MS));
  const picture = useMemo(
    () =>
      read === null
        ? null
        : pictureOf(read, shownMs, (calendarStart && readCivil(calendarStart)?.ofDayMs) || 0),
    [read, shownMs, calendarStart],
  );
  if (picture === null)
    return <p className="part-note">The curve appears once the demand can be read.</p>;
  const words = `${numberText(picture.least, 1)} to ${numberText(picture.most, 1)} requests a second over ${durationText(shownMs)}`;
  return (
    <figure className="rules-demand">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={words}
      >
        <path d={picture.path} />
      </svg>
      <figcaption className="part-note">Demand: {words}</figcaption>
    </figure>
  );
}

/** Steps as a line from 0 at the lower edge to the highest rate at the upper one. O(steps). */
function pictureOf(demand: ServiceEntry["demand"], untilMs: number, ofDayMs: number) {
  const stepMs = Math.max(demand.stepMs, Math.ceil(untilMs / MOST_POINTS));
  const { atMs, perSec } = demandSteps({ ...demand, stepMs }, untilMs, ofDayMs);
  const most = Math.max(...perSec, 0);
  const y = (rate: number) =>
    (HEIGHT - 2 - (most === 0 ? 0 : (rate / most) * (HEIGHT - 4))).toFixed(1);
  const parts: string[] = [];
  atMs.forEach((at, index) => {
    if (at > untilMs) return;
    const x = ((at / untilMs) * WIDTH).toFixed(1);
    parts.push(index === 0 ? `M0 ${y(perSec[0]!)}` : `H${x}V${y(perSec[index]!)}`);
  });
  return { path: `${parts.join("")}H${WIDTH}`, least: Math.min(...perSec), most };
}
