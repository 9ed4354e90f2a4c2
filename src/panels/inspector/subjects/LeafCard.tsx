/** A leaf switch at the cursor, with the links that join it to its spine: what they carry, what is asked of them, and the gangs that cross them. */
import { useMemo } from "react";
import { countText, NBSP, numberText } from "../../../base/format.ts";
import { GaugeCode } from "../../../model/lab/gauges.ts";
import { run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { GaugeSeries, valueAt } from "../../../timeline/gaugeSeries.ts";
import { leafTitle } from "../../../timeline/nodeWords.ts";
import { jobsOnDevicesAt, linkStoryAt } from "../../../timeline/topologyMap/linkStory.ts";
import { Button } from "../../../ui/Button.tsx";
import type { CardProps } from "../cardParts.tsx";
import { isUnknown, NotComputed } from "../NotComputed.tsx";
import { JobLines } from "./JobLines.tsx";
import { crossingWords, linkLines, linkSentence } from "./leafWords.ts";

const JOBS_MOST = 40;

export function LeafCard({
  stage,
  future,
  atMs,
  calendar,
  leaf,
}: CardProps & { readonly leaf: number }) {
  const { cluster } = stage;
  const network = useApp((state) => state.scenario?.cluster.network ?? null);
  const held = useMemo(
    () => jobsOnDevicesAt(future, cluster.deviceCount, atMs),
    [future, cluster, atMs],
  );
  const story = useMemo(
    () => linkStoryAt(stage, network, held, leaf),
    [stage, network, held, leaf],
  );
  const steps = useMemo(() => {
    const gauges = new GaugeSeries();
    gauges.update(future.chunks);
    return gauges.get(GaugeCode.uplink, leaf);
  }, [future, leaf]);
  const carried = steps ? valueAt(steps, atMs) : Number.NaN;
  const name = cluster.leafNames[leaf] ?? String(leaf);
  const title = leafTitle(name);
  const word = cluster.deviceWord;
  const unknown = isUnknown(future, atMs);
  return (
    <article className="inspector-part" aria-label={title}>
      <header className="who">
        <div className="who-text">
          <h2>{title}</h2>
          <p>
            Switch and uplinks · {story.held} of {countText(story.devices, word)} below it held
          </p>
        </div>
      </header>
      {unknown ? (
        <NotComputed future={future} atMs={atMs} calendar={calendar} />
      ) : (
        <>
          <p className="why" role="status">
            <b>{linkSentence(story)}</b>
          </p>
          <table className="terms" aria-label="The uplinks now">
            <tbody>
              {linkLines(story, carried, network).map(([head, value]) => (
                <tr key={head}>
                  <th scope="row">{head}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {story.crossings.length > 0 && (
            <>
              <h3>Gangs that cross them</h3>
              <JobLines
                label="Gangs that cross the uplinks"
                stage={stage}
                lines={story.crossings.slice(0, JOBS_MOST).map((crossing) => ({
                  key: String(crossing.jobIdx),
                  jobIdx: crossing.jobIdx,
                  text: crossingWords(crossing, story, word),
                }))}
              />
              {story.crossings.length > JOBS_MOST && (
                <p className="quiet">and {numberText(story.crossings.length - JOBS_MOST)} more</p>
              )}
            </>
          )}
        </>
      )}
      <fieldset className="job-actions" aria-label="Other leaves">
        <Button
          label="Previous leaf"
          disabledReason={leaf > 0 ? null : "it is the first"}
          onClick={() => run("selectLeaf", { leaf: leaf - 1 })}
        >
          ‹{NBSP}Leaf
        </Button>
        <Button
          label="Next leaf"
          disabledReason={leaf < cluster.leafCount - 1 ? null : "it is the last"}
          onClick={() => run("selectLeaf", { leaf: leaf + 1 })}
        >
          Leaf{NBSP}›
        </Button>
      </fieldset>
    </article>
  );
}
