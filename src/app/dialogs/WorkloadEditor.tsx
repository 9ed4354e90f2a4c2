/** The workload: classes of drawn jobs in forms, single jobs in a table, and beside them what the run will draw from it. */
import { useState } from "react";
import { numberText } from "../../base/format.ts";
import type { Json, JsonObject } from "../../base/json.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { scenarioSchema } from "../../scenario/schema.ts";
import { useApp } from "../../store/store.ts";
import { completed, schemaAt } from "../../ui/fields/leaf.ts";
import { CardList } from "./editors/CardList.tsx";
import { EditorDialog } from "./editors/EditorDialog.tsx";
import { JobGrid } from "./editors/JobGrid.tsx";
import { type Part, usePart } from "./editors/usePart.ts";
import { WorkloadPreview } from "./editors/WorkloadPreview.tsx";
import { CLASS_SPECS } from "./editors/workloadSpecs.ts";

export function WorkloadEditor() {
  const scenario = useApp((state) => state.scenario);
  return scenario && <Editor scenario={scenario} />;
}

const classSchema = schemaAt(scenarioSchema, "workload.synthetic.0");
const FIRST_CLASS = {
  id: "class",
  arrivals: { perHour: 4 },
  gpus: [{ value: 8, weight: 1 }],
  work: { medianMs: 3_600_000 },
};
const DAY_MS = 86_400_000;
const DECIMALS_BELOW = 100;

type Tab = "classes" | "jobs";

function Editor({ scenario }: { readonly scenario: Scenario }) {
  const part = usePart(scenario, "workload", "Change the workload");
  const classes = listOf(part, "synthetic");
  const jobs = listOf(part, "jobs");
  const [tab, setTab] = useState<Tab>(classes.length === 0 && jobs.length > 0 ? "jobs" : "classes");
  const tabs: readonly (readonly [Tab, string])[] = [
    ["classes", `Classes of drawn jobs, ${classes.length}`],
    ["jobs", `Single jobs, ${jobs.length}`],
  ];
  // A class that never ends needs an end of the run: where there is none it submits for a day.
  const first = (): JsonObject =>
    completed(classSchema, {
      ...FIRST_CLASS,
      ...(scenario.horizonMs === undefined ? { untilMs: DAY_MS } : {}),
    }) as JsonObject;
  return (
    <EditorDialog
      title="Workload"
      description="Which jobs come, when, and how large. It holds from the start of the run; to add one at a moment, use Inject."
      part={part}
      meaning={<WorkloadPreview scenario={part.read} />}
    >
      <fieldset className="tabs editor-tabs" aria-label="Parts of the workload">
        {tabs.map(([id, label]) => (
          <button key={id} type="button" aria-pressed={tab === id} onClick={() => setTab(id)}>
            {label}
          </button>
        ))}
      </fieldset>
      <h3 className="sr-only">{tab === "jobs" ? "Single jobs" : "Classes of drawn jobs"}</h3>
      {scenario.workload.trace && (
        <p className="quiet">
          Jobs come from the file {scenario.workload.trace.name} too; it is not edited here.
        </p>
      )}
      {tab === "jobs" ? (
        <JobGrid part={part} />
      ) : (
        <CardList
          part={part}
          listKey="synthetic"
          pointer="/workload/synthetic"
          one="class"
          specs={CLASS_SPECS}
          schema={classSchema}
          first={first}
          caption={captionOf}
        />
      )}
    </EditorDialog>
  );
}

function listOf(part: Part, key: string): readonly JsonObject[] {
  return (part.value[key] ?? []) as readonly JsonObject[];
}

function captionOf({ kind, arrivals }: JsonObject): string {
  const perHour: Json | undefined = (arrivals as JsonObject | undefined)?.perHour;
  return typeof perHour === "number"
    ? `${String(kind)}, ${numberText(perHour, perHour < DECIMALS_BELOW ? 1 : 0)} jobs an hour`
    : String(kind);
}
