/** The machine: node groups and the fabric in forms, and beside them what they come to and how it lies. It holds from the start of the run. */
import type { Json, JsonObject } from "../../base/json.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { scenarioSchema } from "../../scenario/schema.ts";
import { useApp } from "../../store/store.ts";
import { Check } from "../../ui/Check.tsx";
import { completed, schemaAt } from "../../ui/fields/leaf.ts";
import { SpecFields } from "../../ui/fields/SpecFields.tsx";
import { CardList } from "./editors/CardList.tsx";
import { ClusterPreview } from "./editors/ClusterPreview.tsx";
import { FABRIC_SPECS, GROUP_SPECS } from "./editors/clusterSpecs.ts";
import { EditorDialog } from "./editors/EditorDialog.tsx";
import { type Part, usePart } from "./editors/usePart.ts";

export function ClusterEditor() {
  const scenario = useApp((state) => state.scenario);
  return scenario && <Editor scenario={scenario} />;
}

const groupSchema = schemaAt(scenarioSchema, "cluster.nodeGroups.0");
const fabricSchema = schemaAt(scenarioSchema, "cluster.fabric");
const FIRST_LEAF = 8;

function Editor({ scenario }: { readonly scenario: Scenario }) {
  const part = usePart(scenario, "cluster", "Change the cluster");
  const groups = (part.value.nodeGroups ?? []) as readonly JsonObject[];
  const first = (): JsonObject =>
    completed(groupSchema, { id: "group", count: 4, gpus: groups[0]?.gpus ?? 8 }) as JsonObject;
  return (
    <EditorDialog
      title="Cluster"
      description="Which nodes there are and how they are wired. It holds from the start of the run; to take nodes away at a moment, use Drain."
      part={part}
      meaning={<ClusterPreview cluster={part.read.cluster} />}
    >
      <h3>Node groups</h3>
      <CardList
        part={part}
        listKey="nodeGroups"
        pointer="/cluster/nodeGroups"
        one="group"
        specs={GROUP_SPECS}
        schema={groupSchema}
        first={first}
        needsOne
        caption={(entry) =>
          `${String(entry.count)} × ${String(entry.gpus)} ${String(entry.gpuModel ?? "")}`
        }
      />
      <h3>Fabric</h3>
      <Fabric part={part} />
      <Check
        label="One undivided machine of processors"
        checked={part.value.flat === true}
        onChange={(flat) => part.set({ ...part.value, flat })}
        hint="As in logs of parallel machines: any free processor will do, nodes do not matter."
      />
    </EditorDialog>
  );
}

function Fabric({ part }: { readonly part: Part }) {
  const { fabric, switches } = part.value;
  if (switches !== undefined)
    return (
      <p className="quiet">
        It is given switch by switch ({(switches as readonly Json[]).length} switches), as in a
        topology file; such a fabric is edited in the scenario’s file.
      </p>
    );
  const put = (next: Json | undefined) => {
    const { fabric: _, ...others } = part.value;
    part.set(next === undefined ? others : { ...others, fabric: next });
  };
  return (
    <>
      <Check
        label="Nodes hang on leaf switches"
        checked={fabric !== undefined}
        onChange={(on) =>
          put(on ? completed(fabricSchema, { nodesPerLeaf: FIRST_LEAF }) : undefined)
        }
        hint="Without a fabric nothing is known of the network between nodes."
      />
      {fabric !== undefined && (
        <div className="spec-grid">
          <SpecFields
            specs={FABRIC_SPECS}
            schema={fabricSchema}
            value={fabric}
            onChange={put}
            context={part.context("/cluster/fabric")}
          />
        </div>
      )}
    </>
  );
}
