/**
 * The queue table of a run of the policy lab that has teams or numbers: beside the queue, who may use how much and does, and the numbers over time at the cursor.
 */
import { useState } from "react";
import { run } from "../../../store/commands.ts";
import { Button } from "../../../ui/Button.tsx";
import { type LabTab, LabTable, useLabTabs } from "./LabTable.tsx";
import "../queueTable.css";
import "../slurm/slurmDrawer.css";
import "./labDrawer.css";

export function LabDrawer() {
  const [chosen, setTab] = useState<LabTab>("queue");
  const tabs = useLabTabs();
  const tab = tabs.some(({ id }) => id === chosen) ? chosen : "queue";
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
      <LabTable tab={tab} />
    </section>
  );
}
