/** Why a run stopped, in words: one short phrase for each closed reason, the same everywhere. */
import { STOP_REASONS, type StopReason } from "./reasons.ts";

const STOP_WORDS: Readonly<Record<StopReason, string>> = {
  none: "still runs",
  workDone: "work done",
  timeLimit: "killed at its time limit",
  cancelledByUser: "cancelled",
  preempted: "preempted",
  nodeFailed: "lost its node",
  nodeDrained: "its node was drained",
  dependencyNeverMet: "its dependency can no longer be met",
  idle: "ended: idle too long",
  reclaimed: "its quota was reclaimed",
  outbid: "outbid",
  spotTaken: "the cloud took its node back",
  hung: "hung: a collective timed out",
  restartsUsed: "no restarts left",
  migrated: "moved to make room",
  burstOver: "its burst was over",
  windowBegan: "a window began on its nodes",
  scaledDown: "its service wanted fewer replicas",
  deviceFailed: "lost a device",
  podsNotReady: "its pods were not ready in time",
  queueStopped: "its queue was stopped",
  descheduled: "evicted by the descheduler",
  nodeRemoved: "the autoscaler removed its node",
  fruitless: "gave up: its runs reach the limit before anything new is saved",
};

export const stopWords = (code: number): string => STOP_WORDS[STOP_REASONS[code] ?? "none"];
