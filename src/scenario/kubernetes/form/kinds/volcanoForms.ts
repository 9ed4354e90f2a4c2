/** Fields of Volcano's kinds. */
import {
  amount,
  choice,
  flag,
  GPU,
  integer,
  NAME,
  NOT_SAID,
  namespace,
  needed,
  rows,
  text,
} from "../fields.ts";
import type { FieldForm, KindForm } from "../formSpec.ts";

const amountsOf = (path: readonly string[], words: string, sentence: string): FieldForm[] =>
  (
    [
      [GPU, "GPUs"],
      ["cpu", "CPUs"],
      ["memory", "Memory"],
    ] as const
  ).map(([resource, label]) =>
    amount([...path, resource], `${label} ${words}`, sentence, NOT_SAID),
  );

export const VOLCANO_FORMS: readonly KindForm[] = [
  {
    kind: "Queue",
    group: "scheduling.volcano.sh",
    fields: [
      NAME,
      integer("spec.weight", "Weight", "Plugin proportion: its part among queues.", "1"),
      integer("spec.priority", "Priority", "Before shares are compared.", "0"),
      text("spec.parent", "Parent", "Plugin capacity: the queue above.", "root"),
      ...amountsOf(["spec", "capability"], "at most", "Never more."),
      ...amountsOf(["spec", "guarantee", "resource"], "kept", "Kept for it, used or not."),
      ...amountsOf(["spec", "deserved"], "deserved", "Plugin capacity: taken back up to that."),
      flag("spec.reclaimable", "Reclaimable", "Others may take from it.", "true"),
      choice("spec.state", "State", ["Open", "Closed"], "Closed: it takes no more jobs."),
    ],
  },
  {
    kind: "HyperNode",
    group: "topology.volcano.sh",
    fields: [NAME, needed(integer("spec.tier", "Tier", "Lower is closer together."))],
    rows: [
      rows(
        "spec.members",
        "member",
        [
          {
            ...needed(
              choice("type", "Type", ["Node", "HyperNode"], "What the names are names of."),
            ),
          },
          text("selector.exactMatch.name", "Name", "The one of exactly this name.", NOT_SAID),
          text(
            "selector.regexMatch.pattern",
            "Pattern",
            "All whose name it matches, such as ^rack-1-.*$.",
            NOT_SAID,
          ),
        ],
        { value: { type: "Node", selector: { exactMatch: { name: "node-1" } } } },
      ),
    ],
  },
  {
    kind: "ConfigMap",
    group: "",
    fields: [NAME, namespace("Means nothing here.", NOT_SAID)],
  },
];
