/**
 * The queue table of a run of the policy lab that has teams or numbers: beside the queue, who may use how much and does, and the numbers over time at the cursor.
 */
import { lazy, Suspense, useState } from "react";
import { run } from "../../../store/commands.ts";
import { useHasGauges } from "../../../store/recordHas.ts";
import { useRunData } from "../../../store/useRun.ts";
import { Button } from "../../../ui/Button.tsx";
import "../queueTable.css";
import "../slurm/slurmDrawer.css";
import "./labDrawer.css";

const QueueTable = lazy(async () => ({ default: (await import("../QueueTable.tsx")).QueueTable }));
const ShareTable = lazy(async () => ({ default: (await import("./ShareTable.tsx")).ShareTable }));
const ClusterQueueTable = lazy(async () => ({
  default: (await import("../kueue/ClusterQueueTable.tsx")).ClusterQueueTable,
}));
const GaugeTable = lazy(async () => ({ default: (await import("./GaugeTable.tsx")).GaugeTable }));

type Tab = "queue" | "clusterQueues" | "shares" | "numbers";
const TABS: readonly { readonly id: Tab; readonly label: string }[] = [
  { id: "queue", label: "Queue" },
  { id: "clusterQueues", label: "ClusterQueues" },
  { id: "shares", label: "Shares" },
  { id: "numbers", label: "Numbers" },
];

export function LabDrawer() {
  const [tab, setTab] = useState<Tab>("queue");
  const gauges = useHasGauges();
  const { stage } = useRunData();
  const kueue = stage?.quotaCells !== undefined;
  const flavors = stage?.quotaCells?.some(({ flavor }) => flavor !== "");
  const tabs = TABS.map((one) =>
    one.id === "clusterQueues" && !flavors ? { ...one, label: "Queues" } : one,
  ).filter(({ id }) => (id !== "numbers" || gauges) && (id !== "clusterQueues" || kueue));
  return (
    <section className="table-drawer" aria-label="Queue table">
      <header className="table-drawer-head">
        <fieldset className="slurm-tabs lab-tabs" aria-label="Tables of the queue">
          {tabs.map((one) => (
            <button
              key={one.id}
              type="button"
              aria-pressed={tab === one.id}
              onClick={() => setTab(one.id)}
            >
              {one.label}
            </button>
          ))}
        </fieldset>
        <Button
          label="Close table"
          look="plain"
          keys="T"
          onClick={() => run("toggleDrawer", { drawer: "queueTable" })}
        />
      </header>
      <Suspense>
        {tab === "queue" && <QueueTable closes={false} />}
        {tab === "clusterQueues" && <ClusterQueueTable />}
        {tab === "shares" && <ShareTable />}
        {tab === "numbers" && <GaugeTable />}
      </Suspense>
    </section>
  );
}
