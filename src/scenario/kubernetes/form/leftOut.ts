/** Objects of a policy's YAML that its preset does not read: they do no harm, as in a cluster in which their controller is not installed, but nothing follows from them. By API group. O(objects). */
import type { FormHead } from "./formSpec.ts";

const KUBE: readonly string[] = ["kube-scheduler", "kueue"];
const VOLCANO: readonly string[] = ["volcano", "kueue"];
/** Who reads a group. Volcano may place below Kueue. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  "": VOLCANO,
  descheduler: KUBE,
  "kubescheduler.config.k8s.io": KUBE,
  "kueue.x-k8s.io": ["kueue"],
  policy: KUBE,
  "ray.io": ["ray"],
  "scheduling.k8s.io": ["kube-scheduler", "kueue", "volcano", "kai"],
  "scheduling.run.ai": ["kai"],
  "scheduling.volcano.sh": VOLCANO,
  "topology.volcano.sh": VOLCANO,
};

/** One sentence for each kind that is left out, with the line of the first such object. */
export function leftOut(
  preset: string,
  objects: readonly FormHead[],
): readonly { readonly line: number; readonly sentence: string }[] {
  const found = new Map<string, { line: number; count: number; kind: string; group: string }>();
  for (const { kind, group, line } of objects) {
    const readers = READERS[group];
    if (readers === undefined || readers.includes(preset)) continue;
    const key = `${kind} ${group}`;
    const known = found.get(key);
    if (known) known.count++;
    else found.set(key, { line, count: 1, kind, group });
  }
  return [...found.values()].map(({ line, count, kind, group }) => ({
    line,
    sentence: `${count === 1 ? `The object of the kind ${kind} has` : `The ${count} objects of the kind ${kind} have`} no effect: the preset "${preset}" does not read ${count === 1 ? "it" : "them"}, only ${READERS[group]!.join(", ")}.`,
  }));
}
