/** Rows and columns of the table of ClusterQueues: one for each queue, flavor and resource. Bars of one resource share a scale; queues without quota have a row without bar. */
import { createElement } from "react";
import { amountText } from "../../../base/format.ts";
import type { QueueFacts, QuotaFacts } from "../../../model/kubernetes/queueFacts.ts";
import { waitWords } from "../../../model/sentences.ts";
import type { Stage } from "../../../protocol/messages.ts";
import { resourceWord } from "../../../timeline/gaugeWords.ts";
import { jobLabel } from "../../../timeline/jobNames.ts";
import type { GridColumn } from "../../../ui/grid/column.ts";
import { QuotaBar } from "../lab/QuotaBar.tsx";
import { type Held, quotaScale, quotaWords } from "../lab/quotaParts.ts";

export interface ClusterQueueRow {
  readonly key: number;
  readonly queue: QueueFacts;
  readonly quota: QuotaFacts | null;
  readonly held: Held;
  readonly scale: number;
}

const NONE: Held = {
  gpusDue: Number.NaN,
  gpusHeld: Number.NaN,
  gpusBorrowed: Number.NaN,
  gpusLent: Number.NaN,
};

function heldOf({ nominal, used, borrowed, lent }: QuotaFacts): Held {
  return { gpusDue: nominal, gpusHeld: used, gpusBorrowed: borrowed, gpusLent: lent };
}

/** In the order of the document. O(queues × quotas). */
export function clusterQueueRows(queues: readonly QueueFacts[]): ClusterQueueRow[] {
  const byResource = new Map<string, Held[]>();
  for (const quota of queues.flatMap(({ quotas }) => quotas))
    byResource.set(quota.resource, [...(byResource.get(quota.resource) ?? []), heldOf(quota)]);
  const scales = new Map([...byResource].map(([name, list]) => [name, quotaScale(list)]));
  return queues
    .flatMap((queue): Omit<ClusterQueueRow, "key">[] =>
      queue.quotas.length === 0
        ? [{ queue, quota: null, held: NONE, scale: 1 }]
        : queue.quotas.map((quota) => ({
            queue,
            quota,
            held: heldOf(quota),
            scale: scales.get(quota.resource) ?? 1,
          })),
    )
    .map((row, key) => ({ ...row, key }));
}

function amount(value: number): string {
  if (Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return "no limit";
  return amountText(value);
}

export function clusterQueueColumns(
  stage: Stage,
  rows: readonly ClusterQueueRow[],
): GridColumn<ClusterQueueRow>[] {
  const quota = (id: string, label: string, width: string, of: (quota: QuotaFacts) => number) => {
    const value = (row: ClusterQueueRow) => (row.quota ? of(row.quota) : Number.NaN);
    return {
      id,
      label,
      width,
      right: true,
      value,
      text: (row: ClusterQueueRow) => amount(value(row)),
      sum: amount,
    };
  };
  const count = (id: "pending" | "admitted", width: string) => ({
    id,
    label: id,
    width,
    right: true,
    value: ({ queue }: ClusterQueueRow) => queue[id],
    text: ({ queue }: ClusterQueueRow) => amount(queue[id]),
  });
  const words = (
    id: string,
    label: string,
    width: string,
    text: (row: ClusterQueueRow) => string,
    groups = true,
  ): GridColumn<ClusterQueueRow> => ({ id, label, width, groups, value: text, text });
  const kueue = rows.some(({ queue }) => queue.strategy !== "");
  const fair = rows.some(({ quota }) => Number.isFinite(quota?.fairShare));
  const share = rows.some(({ queue }) => !Number.isNaN(queue.share));
  return [
    words(
      "queue",
      kueue ? "ClusterQueue" : "queue",
      "minmax(92px, 1fr)",
      ({ queue }) => queue.name,
    ),
    words(
      "cohort",
      kueue ? "cohort" : "parent",
      "minmax(56px, 0.6fr)",
      ({ queue }) => queue.cohort ?? "none",
    ),
    count("pending", "68px"),
    count("admitted", "72px"),
    {
      id: "head",
      label: "head, and why it waits",
      width: "minmax(190px, 2fr)",
      strong: ({ queue }) => (queue.headJobIdx < 0 ? "" : jobLabel(stage.jobs, queue.headJobIdx)),
      text: ({ queue }) => (queue.headJobIdx < 0 ? "nobody waits" : waitWords(queue.headReason)),
    },
    ...(kueue
      ? [
          words("strategy", "strategy", "108px", ({ queue }) =>
            queue.stop === "None" ? queue.strategy : queue.stop,
          ),
          words("flavor", "flavor", "minmax(60px, 0.7fr)", (row) => row.quota?.flavor ?? "–"),
          words("resource", "resource", "minmax(98px, 1fr)", (row) =>
            row.quota ? resourceWord(row.quota.resource) : "–",
          ),
        ]
      : []),
    {
      id: "bar",
      label: "quota",
      width: "minmax(120px, 1.4fr)",
      text: (row) => quotaWords(row.held),
      picture: (row) => createElement(QuotaBar, { row: row.held, scale: row.scale }),
    },
    quota("used", kueue ? "used" : "allocated", "72px", (one) => one.used),
    quota("nominal", kueue ? "nominal" : "deserved", "72px", (one) => one.nominal),
    ...(fair ? [quota("fair", "fair share", "80px", (one) => one.fairShare ?? Number.NaN)] : []),
    quota("borrowed", kueue ? "borrowed" : "over quota", "80px", (one) => one.borrowed),
    ...(kueue ? [quota("lent", "lent", "52px", (one) => one.lent)] : []),
    ...(share
      ? [
          {
            id: "share",
            label: "share, ‰",
            width: "72px",
            right: true,
            value: ({ queue }: ClusterQueueRow) => queue.share,
            text: ({ queue }: ClusterQueueRow) =>
              queue.share === Number.POSITIVE_INFINITY ? "without end" : amount(queue.share),
          },
        ]
      : []),
  ];
}
