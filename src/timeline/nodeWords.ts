/** The history of nodes in words: what a stretch is, which device is meant, and what there is to say of a node at a time. */
import { clockNear } from "../base/format.ts";
import { nodeOfDevice } from "../model/cluster.ts";
import type { Stage } from "../protocol/messages.ts";
import { type NodeHistory, type NodeStretch, poolOfNodeAt, stretchesOf } from "./nodeHistory.ts";

export interface HistoryContext {
  readonly stage: Stage;
  readonly calendar: string | undefined;
  /** The pool that each node began in, −1 = none. */
  readonly firstPool: (node: number) => number;
}

/** What a stretch is, as one says it of a node: "boots", "on its way to pool serving". */
export function stretchWords({ kind, pool }: NodeStretch, stage: Stage): string {
  switch (kind) {
    case "absent":
      return "not there: rented when work waits for it";
    case "boots":
      return "rented, and boots";
    case "leaves":
      return "given back as soon as it is empty";
    case "changesPool":
      return `on its way to pool ${stage.poolIds[pool]}`;
    case "drained":
      return "drained: takes no new work";
    case "down":
      return "down";
    case "silent":
      return "failed, and nobody has noticed yet";
  }
}

/** "GPU 3 of n-2". */
export function deviceName({ cluster }: Stage, device: number): string {
  const node = nodeOfDevice(cluster, device);
  return `${cluster.deviceWord} ${device - cluster.deviceBase[node]!} of ${cluster.nodeNames[node]}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What there is to say of a node at a time: its pool, what it is on its way to, its devices that are out. O(its stretches + devices that were out). */
export function nodeWords(
  facts: NodeHistory,
  { stage, calendar, firstPool }: HistoryContext,
  node: number,
  atMs: number,
): string[] {
  const { cluster, poolIds } = stage;
  const words: string[] = [];
  const pool = poolOfNodeAt(facts, node, firstPool(node), atMs);
  if (poolIds.length > 1 && pool >= 0) words.push(`Pool ${poolIds[pool]}`);
  const stretches = stretchesOf(facts, node);
  const now = stretches.find((one) => one.fromMs <= atMs && atMs < one.toMs);
  const booted = stretches.findLast(({ kind, toMs }) => kind === "boots" && toMs <= atMs);
  if (booted && now?.kind !== "absent" && now?.kind !== "boots")
    words.push(`Rented, there since ${clockNear(booted.toMs, atMs, calendar)}`);
  if (now) {
    const until =
      now.kind === "boots" && now.toMs < Number.POSITIVE_INFINITY
        ? `, there at ${clockNear(now.toMs, atMs, calendar)}`
        : "";
    words.push(`${capital(stretchWords(now, stage))}${until}`);
  }
  const from = cluster.deviceBase[node]!;
  const to = cluster.deviceBase[node + 1]!;
  for (const { kind, device, fromMs, toMs } of facts.devices)
    if (device >= from && device < to && fromMs <= atMs && atMs < toMs)
      words.push(
        `${cluster.deviceWord} ${device - from} ${kind === "cut" ? "is cut anew since" : "failed at"} ${clockNear(fromMs, atMs, calendar)}`,
      );
  return words;
}

/** Labels of a class of nodes: "disk=ssd, zone=a"; "" without any. */
export function labelText({
  labels,
}: {
  readonly labels: Readonly<Record<string, string>>;
}): string {
  return Object.entries(labels)
    .map(([label, value]) => (value === "" ? label : `${label}=${value}`))
    .join(", ");
}

/** What a leaf is called in a sentence: "leaf L1", "leaf 0"; one that is named so already keeps its name. */
export function leafText(name: string): string {
  return /^leaf/i.test(name) ? name : `leaf ${name}`;
}

/** The same where it begins a line. */
export function leafTitle(name: string): string {
  const text = leafText(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
