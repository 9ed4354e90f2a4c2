/** The tables of a run beside Slurm's own: who waits, the queues with quota, shares and numbers over time. Each is there where the run has what it shows. */
import { lazy, Suspense } from "react";
import { useHasGauges } from "../../../store/recordHas.ts";
import { useRunData } from "../../../store/useRun.ts";

const QueueTable = lazy(async () => ({ default: (await import("../QueueTable.tsx")).QueueTable }));
const ShareTable = lazy(async () => ({ default: (await import("./ShareTable.tsx")).ShareTable }));
const ClusterQueueTable = lazy(async () => ({
  default: (await import("../kueue/ClusterQueueTable.tsx")).ClusterQueueTable,
}));
const GaugeTable = lazy(async () => ({ default: (await import("./GaugeTable.tsx")).GaugeTable }));

const TABLES = {
  queue: QueueTable,
  clusterQueues: ClusterQueueTable,
  shares: ShareTable,
  numbers: GaugeTable,
} as const;
export type LabTab = keyof typeof TABLES;

export interface LabTabEntry {
  readonly id: LabTab;
  readonly label: string;
}

export function isLabTab(id: string): id is LabTab {
  return Object.hasOwn(TABLES, id);
}

export function useLabTabs(): readonly LabTabEntry[] {
  const gauges = useHasGauges();
  const { stage } = useRunData();
  const cells = stage?.quotaCells;
  // Only Kueue's quotas are of flavors.
  const isKueue = cells?.some(({ flavor }) => flavor !== "") === true;
  return [
    { id: "queue", label: "Queue" },
    ...(cells === undefined
      ? []
      : [{ id: "clusterQueues" as const, label: isKueue ? "ClusterQueues" : "Queues" }]),
    { id: "shares", label: "Shares" },
    ...(gauges ? [{ id: "numbers" as const, label: "Numbers" }] : []),
  ];
}

export function LabTable({ tab }: { readonly tab: LabTab }) {
  const Table = TABLES[tab];
  return (
    <Suspense>
      <Table {...(tab === "queue" ? { closes: false } : {})} />
    </Suspense>
  );
}
