/** Commands of time: play, steps, speed, cursor. */

import { timeBounds } from "../../store/camera.ts";
import { define } from "../../store/commands.ts";
import { decisionMs, nextEventMs, passMs, previousEventMs } from "../../store/eventTimes.ts";
import { runData } from "../../store/runData.ts";
import { usesSlurm } from "../../store/slurmPools.ts";
import { useApp } from "../../store/store.ts";
import { moveCursor, pause, play, seek } from "../../store/transport.ts";

const nothing = (): string | null => (runData.get().stage ? null : "Nothing has been computed yet");

function noJob(): string | null {
  return useApp.getState().selection?.kind === "job" ? nothing() : "Select a job first";
}

function stepEvent(find: typeof nextEventMs): void {
  pause();
  const { stage, current } = runData.get();
  const atMs = stage ? find(stage, current, useApp.getState().cursorMs) : null;
  if (atMs !== null) moveCursor(atMs);
}

function stepDecision(step: 1 | -1): void {
  pause();
  const { selection, cursorMs } = useApp.getState();
  if (selection?.kind !== "job") return;
  const atMs = decisionMs(runData.get().current, selection.jobIdx, cursorMs, step);
  if (atMs !== null) moveCursor(atMs);
}

function noPasses(): string | null {
  return usesSlurm(useApp.getState().scenario) ? nothing() : "No pool is under Slurm";
}

function stepPass(step: 1 | -1): void {
  pause();
  const atMs = passMs(runData.get().current, useApp.getState().cursorMs, step);
  if (atMs !== null) moveCursor(atMs);
}

export function definePlayCommands(): void {
  define("togglePlay", {
    label: "Play or pause",
    keys: ["Space"],
    group: "play",
    disabled: nothing,
    run: () => (useApp.getState().playing ? pause() : play()),
  });
  define("pause", { label: "Pause", group: "play", run: pause });
  define("nextEvent", {
    label: "Next event",
    keys: ["."],
    group: "play",
    disabled: nothing,
    run: () => stepEvent(nextEventMs),
  });
  define("previousEvent", {
    label: "Previous event",
    keys: [","],
    group: "play",
    disabled: nothing,
    run: () => stepEvent(previousEventMs),
  });
  define("nextDecision", {
    label: "Next decision about the selected job",
    keys: ["Shift+."],
    group: "play",
    disabled: noJob,
    run: () => stepDecision(1),
  });
  define("previousDecision", {
    label: "Previous decision about the selected job",
    keys: ["Shift+,"],
    group: "play",
    disabled: noJob,
    run: () => stepDecision(-1),
  });
  define("nextPass", {
    label: "Next pass of Slurm’s schedulers",
    keys: ["Alt+."],
    group: "play",
    disabled: noPasses,
    run: () => stepPass(1),
  });
  define("previousPass", {
    label: "Previous pass of Slurm’s schedulers",
    keys: ["Alt+,"],
    group: "play",
    disabled: noPasses,
    run: () => stepPass(-1),
  });
  define("toStart", {
    label: "Go to the start",
    keys: ["Home"],
    group: "play",
    run: () => goTo(0),
  });
  define("toEnd", {
    label: "Go to the end",
    keys: ["End"],
    group: "play",
    run: () => goTo(timeBounds().toMs),
  });
  define("seek", { label: "Go to a time", group: "play", run: ({ atMs }) => seek(atMs) });
  define("setSpeed", {
    label: "Speed",
    group: "play",
    run: ({ speed }) => useApp.setState({ speed }),
  });
}

function goTo(atMs: number): void {
  pause();
  seek(atMs);
}
