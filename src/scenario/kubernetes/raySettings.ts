/** What the preset ray can be told beside its YAML. A RayCluster in the YAML goes before the settings of the autoscaler that it says the same with. */
import type { PresetSpec } from "../settingSpec.ts";

export const RAY: PresetSpec = {
  id: "ray",
  label: "Ray",
  sentence:
    "Ray: tasks, actors and placement groups on the logical resources of one Ray cluster; no priorities, no preemption.",
  settings: [
    {
      key: "driver",
      label: "Driver",
      sentence: "Where the programs run that call tasks and actors.",
      kind: "enum",
      standard: "head",
      options: [
        {
          value: "head",
          label: "On a head of its own",
          sentence: "The head stands beside the pool’s nodes and runs no work (num-cpus: 0).",
        },
        {
          value: "firstNode",
          label: "On the first node",
          sentence:
            "The pool’s first node is the local one, which the default policy prefers while it is idle.",
        },
      ],
      group: "Placement",
    },
    {
      key: "spreadThreshold",
      label: "Spread threshold",
      sentence:
        "A node counts as idle below this use of its CPUs and memory; devices do not count (scheduler_spread_threshold).",
      kind: "number",
      standard: 0.5,
      least: 0,
      most: 1,
      group: "Placement",
    },
    {
      key: "topKFraction",
      label: "Top k",
      sentence:
        "The node is drawn from this part of all nodes, the best ones; one at least (scheduler_top_k_fraction).",
      kind: "number",
      standard: 0.2,
      least: 0,
      most: 1,
      group: "Placement",
    },
    {
      key: "avoidGpuNodes",
      label: "Avoid device nodes",
      sentence:
        "Work without devices goes to nodes with some only where no other can start it now (scheduler_avoid_gpu_nodes).",
      kind: "boolean",
      standard: true,
      group: "Placement",
    },
    {
      key: "fairDispatch",
      label: "Fair dispatch",
      sentence:
        "While more CPUs are asked for than there are, a function that runs more calls than the average of those that wait is passed over.",
      kind: "boolean",
      standard: true,
      group: "Sharing",
    },
    {
      key: "upscalingSpeed",
      label: "Upscaling speed",
      sentence:
        "A step of the autoscaler asks for so many times the nodes of a kind there are, one at least (upscaling_speed; KubeRay says 1,000, Conservative 1).",
      kind: "number",
      standard: 1_000,
      least: 0,
      most: 1_000_000,
      group: "Workers",
    },
    {
      key: "maxConcurrentLaunches",
      label: "Nodes on their way",
      sentence: "At most so many at once, of all kinds (max_concurrent_launches).",
      kind: "integer",
      standard: 10,
      least: 1,
      most: 100_000,
      unit: "nodes",
      group: "Workers",
    },
    {
      key: "idleTimeoutMs",
      label: "Idle timeout",
      sentence:
        "A worker that holds nothing for so long is given back (idleTimeoutSeconds of KubeRay).",
      kind: "duration",
      standard: 60_000,
      least: 0,
      most: 31_536_000_000,
      group: "Workers",
    },
    {
      key: "autoscalerPeriodMs",
      label: "Autoscaler period",
      sentence: "The autoscaler looks so often (AUTOSCALER_UPDATE_INTERVAL_S).",
      kind: "duration",
      standard: 5_000,
      least: 1,
      most: 3_600_000,
      group: "Latency",
    },
    {
      key: "nodeStartMs",
      label: "Worker node start",
      sentence:
        "From a worker that is asked for to a node that Ray knows, beside the boot of a rented machine (our figure for a pod whose image is there).",
      kind: "duration",
      standard: 20_000,
      least: 0,
      most: 86_400_000,
      group: "Latency",
    },
    {
      key: "rpcMs",
      label: "Round trip",
      sentence:
        "One call between driver, raylet and GCS: a lease takes two of them, an actor three, a placement group three and its leases (our figure for one data center).",
      kind: "duration",
      standard: 1,
      least: 0,
      most: 60_000,
      group: "Latency",
    },
    {
      key: "broadcastMs",
      label: "Resource broadcast",
      sentence:
        "Room that a node gives back is known to the others so much later (raylet_report_resources_period_milliseconds).",
      kind: "duration",
      standard: 100,
      least: 0,
      most: 600_000,
      group: "Latency",
    },
    {
      key: "groupRetryMs",
      label: "Group retry",
      sentence:
        "Pending placement groups are tried again so often, in order (gcs_create_placement_group_retry_max_interval_ms).",
      kind: "duration",
      standard: 1_000,
      least: 1,
      most: 600_000,
      group: "Latency",
    },
    {
      key: "workerStartMs",
      label: "Worker start",
      sentence: "From a lease to a worker that runs the call: Python and its imports (our figure).",
      kind: "duration",
      standard: 1_000,
      least: 0,
      most: 86_400_000,
      group: "Latency",
    },
  ],
};
