/**
 * Asked and used: each ended job as a dot, its time limit across and the length of its run up, both by decades. On the diagonal the limit was used up;
 * who was killed there is marked. A click selects the nearest job; the sentence above says the same without the picture.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import { durationText, numberText } from "../../base/format.ts";
import { type LimitUse, limitUseSteps } from "../../metrics/limitUse.ts";
import type { Stage } from "../../protocol/messages.ts";
import { run } from "../../store/commands.ts";
import type { Future } from "../../store/runData.ts";
import { runSliced } from "../../store/sliced.ts";
import { useApp } from "../../store/store.ts";
import { onPalette, palette, tierColours } from "../../theme/palette.ts";
import { Message } from "../../ui/Message.tsx";

interface LimitPlotProps {
  readonly stage: Stage;
  readonly future: Future;
}

export function LimitPlot({ stage, future }: LimitPlotProps) {
  const [use, setUse] = useState<{ of: Future; value: LimitUse } | null>(null);
  useEffect(() => {
    if (!future.done) return;
    return runSliced(limitUseSteps(stage.jobs, future.chunks), (value) =>
      setUse({ of: future, value }),
    );
  }, [stage, future]);
  if (!future.done) return <Message title="Limits are compared once the run is complete." />;
  if (use?.of !== future) return <Message title="Comparing limits with runs …" />;
  const { value } = use;
  if (value.jobIdx.length === 0) return <Message title="No job that ended had a time limit." />;
  return (
    <div className="limit-plot">
      <p className="limit-words">{wordsOf(value)}</p>
      <Dots use={value} stage={stage} />
    </div>
  );
}

function wordsOf({ jobIdx, factor, killedCount, unlimited }: LimitUse): string {
  const times = (value: number | null) =>
    value === null ? "–" : numberText(value, value < 10 ? 1 : 0);
  const part = ((killedCount / jobIdx.length) * 100).toFixed(1);
  const spread =
    factor.p50 === null
      ? ""
      : `Half of the jobs asked for up to ${times(factor.p50)} times what they ran, 95 % for up to ${times(factor.p95)} times. `;
  const none = unlimited === 0 ? "" : ` ${numberText(unlimited)} had no limit.`;
  return `${spread}${numberText(killedCount)} of ${numberText(jobIdx.length)} (${part} %) were killed at their limit.${none}`;
}

const DECADES = [1_000, 10_000, 60_000, 600_000, 3_600_000, 36_000_000, 86_400_000, 864_000_000];
const LEFT_CSS = 64;
const FOOT_CSS = 18;

/** Milliseconds to a place between 0 and 1. */
type Scale = (ms: number) => number;

function Dots({ use, stage }: { readonly use: LimitUse; readonly stage: Stage }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const selection = useApp((state) => state.selection);
  const selected = selection?.kind === "job" ? selection.jobIdx : -1;
  const scale = useMemo(() => scaleOf(use), [use]);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const paint = () => paintDots(element, use, stage, scale, selected);
    paint();
    const observer = new ResizeObserver(paint);
    observer.observe(element);
    const off = onPalette(paint);
    return () => {
      observer.disconnect();
      off();
    };
  }, [use, stage, scale, selected]);
  return (
    <canvas
      ref={canvas}
      className="limit-dots"
      role="img"
      aria-label="Time limit across, length of the run up, a dot for each job that ended. The table of runs has both for every job."
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        const jobIdx = nearest(use, scale, box, event.clientX - box.left, event.clientY - box.top);
        if (jobIdx >= 0) run("selectJob", { jobIdx });
      }}
    />
  );
}

/** By powers of ten from the shortest run to the longest limit. */
function scaleOf({ limitMs, ranMs }: LimitUse): Scale {
  let least = Number.POSITIVE_INFINITY;
  let most = 1_000;
  for (let i = 0; i < limitMs.length; i++) {
    least = Math.min(least, Math.max(1_000, ranMs[i]!), limitMs[i]!);
    most = Math.max(most, limitMs[i]!, ranMs[i]!);
  }
  const from = Math.log10(Math.max(1_000, least) / 1.3);
  const to = Math.log10(most * 1.3);
  return (ms) => (Math.log10(Math.max(1_000, ms)) - from) / Math.max(0.1, to - from);
}

function paintDots(
  canvas: HTMLCanvasElement,
  { jobIdx, limitMs, ranMs, killed }: LimitUse,
  stage: Stage,
  scale: Scale,
  selected: number,
): void {
  const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
  const { clientWidth, clientHeight } = canvas;
  canvas.width = Math.round(clientWidth * ratio);
  canvas.height = Math.round(clientHeight * ratio);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const colours = palette();
  const width = clientWidth - LEFT_CSS;
  const height = clientHeight - FOOT_CSS;
  const x = (ms: number) => LEFT_CSS + scale(ms) * width;
  const y = (ms: number) => height - scale(ms) * height;
  context.font = `${10.5 * colours.u}px ${colours.font}`;
  context.textBaseline = "middle";
  for (const ms of DECADES) {
    if (scale(ms) < 0 || scale(ms) > 1) continue;
    context.fillStyle = colours.line;
    context.fillRect(x(ms), 0, 1, height);
    context.fillRect(LEFT_CSS, y(ms), width, 1);
    context.fillStyle = colours.ink3;
    context.textAlign = "center";
    context.fillText(durationText(ms), x(ms), height + FOOT_CSS / 2);
    context.textAlign = "right";
    context.fillText(durationText(ms), LEFT_CSS - 6, y(ms));
  }
  context.strokeStyle = colours.rule;
  context.beginPath();
  context.moveTo(LEFT_CSS, height);
  context.lineTo(LEFT_CSS + width, 0);
  context.stroke();
  const size = jobIdx.length > 5_000 ? 1.5 : 3;
  for (let i = 0; i < jobIdx.length; i++) {
    const tier = stage.jobs.at.tier[jobIdx[i]!]!;
    context.fillStyle = tierColours(colours, tier, stage.tiers.length).mark;
    context.fillRect(x(limitMs[i]!) - size / 2, y(ranMs[i]!) - size / 2, size, size);
  }
  context.strokeStyle = colours.signal;
  for (let i = 0; i < jobIdx.length; i++)
    if (killed[i] === 1) context.strokeRect(x(limitMs[i]!) - 2.5, y(ranMs[i]!) - 2.5, 5, 5);
  const at = jobIdx.indexOf(selected);
  if (at < 0) return;
  context.strokeStyle = colours.ink;
  context.lineWidth = 2;
  context.strokeRect(x(limitMs[at]!) - 5, y(ranMs[at]!) - 5, 10, 10);
}

const REACH_CSS = 12;

function nearest(
  { jobIdx, limitMs, ranMs }: LimitUse,
  scale: Scale,
  box: { readonly width: number; readonly height: number },
  xCss: number,
  yCss: number,
): number {
  const width = box.width - LEFT_CSS;
  const height = box.height - FOOT_CSS;
  let best = -1;
  let least = REACH_CSS ** 2;
  for (let i = 0; i < jobIdx.length; i++) {
    const dx = LEFT_CSS + scale(limitMs[i]!) * width - xCss;
    const dy = height - scale(ranMs[i]!) * height - yCss;
    const distance = dx * dx + dy * dy;
    if (distance < least) {
      least = distance;
      best = jobIdx[i]!;
    }
  }
  return best;
}
