/**
 * A job that holds devices: since when it runs, how it started, when it ends, and where. Where pods are placed one by one, a job may hold some while it
 * waits for the rest: then it waits, and says what it keeps meanwhile; its limit counts from the start of its work.
 */
import { clockNear, countText, durationText, NBSP, numberText } from "../../base/format.ts";
import { type Sentence, shortWhy, startWords } from "../../model/sentences.ts";
import { run } from "../../store/commands.ts";
import {
  holdingsAt,
  isWaitingAt,
  reasonAt,
  type StoryRun,
  suspensionAt,
  waitedBefore,
  workStartOf,
} from "../../timeline/jobStory.ts";
import { Lead, type PartProps } from "./cardParts.tsx";
import {
  holdsParts,
  holdWords,
  needWords,
  nodesHeld,
  phaseWords,
  suspendedWords,
} from "./jobWords.ts";
import { RunsTable } from "./RunsTable.tsx";
import { runEndWords } from "./runEnd.ts";

export function RunningPart(props: PartProps & { readonly run: StoryRun }) {
  const { stage, story, jobIdx, atMs, calendar, run: current, limitMs } = props;
  const rects = holdingsAt(story, atMs);
  const held = nodesHeld(stage.cluster, rects);
  const devices = held.reduce((total, entry) => total + entry.devices, 0);
  const word = stage.cluster.deviceWord;
  const startMs = workStartOf(story, current, atMs);
  const waited = waitedBefore(story, atMs);
  const since =
    startMs === atMs
      ? "Starts now"
      : `Runs since ${clockNear(startMs, atMs, calendar)} (${durationText(atMs - startMs)})`;
  const size = holdsParts(stage, jobIdx) ? needWords(stage, jobIdx) : countText(devices, word);
  const where = stage.cluster.flat ? "" : ` on ${countText(held.length, "node")}`;
  const stopped = suspensionAt(story, atMs);
  const end = runEndWords(story, current, word, atMs, calendar);
  const isPart = isWaitingAt(story, atMs);
  const words =
    stopped !== null
      ? suspendedWords(stage, devices, stopped, atMs, calendar)
      : isPart
        ? partWords(props, current, devices, where)
        : {
            lead: `${since}: ${size}${where}.`,
            rest: `${phaseWords(rects)}${startWords(current.startReason)} ${waited > 0 ? `It waited ${durationText(waited)}.` : "It did not wait."}`,
          };
  return (
    <>
      <Lead {...words} />
      <dl className="facts">
        <dt>Ends by its limit</dt>
        <dd>
          {!Number.isFinite(limitMs)
            ? "no limit"
            : isPart
              ? `${durationText(limitMs)} after it starts`
              : clockNear(startMs + limitMs, atMs, calendar)}
        </dd>
        <dt>{end.label}</dt>
        <dd>{end.text}</dd>
        {end.goesOn !== null && (
          <>
            <dt>Goes on</dt>
            <dd>{end.goesOn}</dd>
          </>
        )}
        {current.run > 1 && (
          <>
            <dt>Run</dt>
            <dd>{current.run}</dd>
          </>
        )}
      </dl>
      {!stage.cluster.flat && held.length > 0 && (
        <>
          <h3>Holds</h3>
          <ul className="holds">
            {held.slice(0, 24).map((entry) => (
              <li key={entry.node}>
                <button
                  type="button"
                  className="link"
                  onClick={() => run("selectNode", { node: entry.node })}
                >
                  {stage.cluster.nodeNames[entry.node]}
                </button>
                {`${NBSP}·${NBSP}${holdWords(stage, jobIdx, rects, entry)}`}
              </li>
            ))}
            {held.length > 24 && (
              <li>and {countText(held.length - 24, "more node", "more nodes")}</li>
            )}
          </ul>
        </>
      )}
      {story.runs.length > 1 && <RunsTable {...props} word={word} />}
    </>
  );
}

/** What it waits for comes first: what it holds meanwhile does nothing. */
function partWords(
  { stage, story, jobIdx, atMs, calendar }: PartProps,
  current: StoryRun,
  devices: number,
  where: string,
): Sentence {
  const wait = story.waits.find(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs);
  const { lead, rest } = shortWhy(reasonAt(story, atMs), atMs - (wait?.fromMs ?? current.startMs));
  const holds = `It holds ${numberText(devices)} of ${needWords(stage, jobIdx)}${where} since ${clockNear(current.startMs, atMs, calendar)}.`;
  return { lead, rest: `${holds} ${rest}`.trim() };
}
