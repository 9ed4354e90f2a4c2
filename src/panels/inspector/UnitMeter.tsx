/** The unit that is short, counted out: needed units as boxes, those that are there filled. Above 32 units one long box. */
// biome-ignore-all lint/a11y/useSemanticElements: a <meter> cannot be drawn as boxes.
import { numberText } from "../../base/format.ts";
import { unitWords, type WhyContext, type WhyNumbers } from "../../model/sentences.ts";

const MOST_BOXES = 32;

export function UnitMeter({
  why,
  context,
}: {
  readonly why: WhyNumbers;
  readonly context: WhyContext;
}) {
  const { unitsNeeded, unitsFree } = why;
  // Where enough is free, it is the policy that holds the job back: there is nothing to fill.
  if (unitsNeeded <= 0 || unitsFree >= unitsNeeded) return null;
  const there = Math.min(unitsFree, unitsNeeded);
  return (
    <div className="meter">
      <div
        className="meter-boxes"
        role="meter"
        aria-label={`Free of the ${unitWords(unitsNeeded, why, context)} needed`}
        aria-valuemin={0}
        aria-valuemax={unitsNeeded}
        aria-valuenow={there}
      >
        {unitsNeeded <= MOST_BOXES ? (
          Array.from({ length: unitsNeeded }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: boxes are alike, their place is their name.
            <i key={index} className={index < there ? "full" : ""} />
          ))
        ) : (
          <i className="long">
            <b style={{ width: `${(100 * there) / unitsNeeded}%` }} />
          </i>
        )}
      </div>
      <span>
        {numberText(unitsFree)} of {numberText(unitsNeeded)}
      </span>
    </div>
  );
}
