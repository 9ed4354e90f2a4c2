/** Fields of KubeRay's RayCluster. */
import {
  amount,
  choice,
  flag,
  GPU,
  integer,
  labels,
  NAME,
  NOT_SAID,
  namespace,
  needed,
  rows,
  text,
} from "../fields.ts";
import type { KindForm, Path } from "../formSpec.ts";

const LIMITS: Path = ["template", "spec", "containers", 0, "resources", "limits"];

const GROUPS = rows(
  "spec.workerGroupSpecs",
  "worker group",
  [
    needed(text("groupName", "Name", "Of the group.")),
    integer("replicas", "Workers", "To begin with.", "the least"),
    integer("minReplicas", "At least", "Workers kept.", "0"),
    integer("maxReplicas", "At most", "Workers.", "no limit"),
    integer("idleTimeoutSeconds", "Idle timeout", "In seconds.", "the cluster’s"),
    text(["rayStartParams", "num-gpus"], "Logical GPUs", "Before the limits.", "by the limits"),
    text(["rayStartParams", "num-cpus"], "Logical CPUs", "Before the limits.", "by the limits"),
    amount([...LIMITS, GPU], "GPUs of a worker", "Limit of its first container.", NOT_SAID),
    amount([...LIMITS, "cpu"], "CPUs of a worker", "Limit of its first container.", NOT_SAID),
    labels("template.spec.nodeSelector", "Node labels", "Where workers may stand.", "any node"),
  ],
  {
    value: { groupName: "workers", replicas: 1, minReplicas: 0, maxReplicas: 8 },
    unique: "groupName",
  },
);

export const RAY_FORMS: readonly KindForm[] = [
  {
    kind: "RayCluster",
    group: "ray.io",
    fields: [
      NAME,
      namespace("Means nothing here.", NOT_SAID),
      flag("spec.enableInTreeAutoscaling", "Autoscaling", "Workers by demand.", "false"),
      choice(
        "spec.autoscalerOptions.upscalingMode",
        "Upscaling",
        ["Default", "Aggressive", "Conservative"],
        "How many workers are launched at a time.",
      ),
      integer(
        "spec.autoscalerOptions.idleTimeoutSeconds",
        "Idle timeout",
        "Seconds until an idle worker goes.",
        "60",
      ),
    ],
    rows: [GROUPS],
  },
];
