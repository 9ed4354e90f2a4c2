/** Fields of node groups and of the fabric. Kinds, ranges and defaults are the schema's. */
import type { FieldSpec, LeafSpec } from "../../../ui/fields/fieldSpec.ts";

export const GROUP_SPECS: readonly FieldSpec[] = [
  { key: "id", label: "Name", sentence: "Pools and rules refer to the group by it." },
  { key: "count", label: "Nodes", sentence: "How many of this kind." },
  { key: "gpus", label: "GPUs a node", sentence: "On a flat machine: processors." },
  {
    key: "gpuModel",
    label: "GPU model",
    sentence: "Jobs may ask for a model, and run faster on some.",
  },
  { key: "gpuMemGiB", label: "GPU memory", unit: "GiB", sentence: "Of one GPU." },
  { key: "cpus", label: "CPUs a node", sentence: "0: CPUs are not counted." },
  { key: "memGiB", label: "Memory a node", unit: "GiB", sentence: "0: memory is not counted." },
  {
    key: "numaDomains",
    label: "NUMA domains",
    sentence: "Parts of a node with memory of their own.",
  },
  {
    key: "nvswitchNodes",
    label: "NVSwitch domain",
    unit: "nodes",
    sentence: "Nodes that share one: 1 = each its own, 18 = NVL72, 0 = none.",
  },
  {
    key: "pricePerGpuHour",
    label: "Price",
    unit: "a GPU-hour",
    sentence: "What one GPU costs an hour; empty: not counted.",
    absent: "none",
  },
  {
    key: "names",
    label: "Names of the nodes",
    sentence: "A host list such as dgx[001-004].",
    absent: "made from the name",
  },
  {
    key: "labels",
    label: "Labels",
    sentence: "Marks that rules can ask for.",
    as: "pairs",
    absent: "zone=a, ssd=yes",
  },
];

export const FABRIC_SPECS: readonly LeafSpec[] = [
  { key: "nodesPerLeaf", label: "Nodes a leaf", sentence: "Nodes below one leaf switch." },
  { key: "leavesPerSpine", label: "Leaves a spine", sentence: "Leaf switches below one spine." },
];
