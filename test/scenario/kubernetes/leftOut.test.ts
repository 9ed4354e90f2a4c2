/** What stands in a policy's YAML for another scheduler is said, and not passed over. */
import { expect, test } from "vitest";
import { leftOut } from "../../../src/scenario/kubernetes/form/leftOut.ts";
import { readForm } from "../../../src/scenario/kubernetes/form/readForm.ts";
import { KINDS } from "../../../src/scenario/kubernetes/kinds/kinds.ts";

const TEXT = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 9
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: c}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: d}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: q}
`;

test("objects that only another preset reads are told once a kind, with their line", () => {
  expect(leftOut("volcano", readForm(TEXT)!)).toEqual([
    {
      line: 6,
      sentence:
        'The 2 objects of the kind ClusterQueue have no effect: the preset "volcano" does not read them, only kueue.',
    },
  ]);
  expect(leftOut("kueue", readForm(TEXT)!)).toEqual([]);
  expect(leftOut("ray", readForm(TEXT)!).map(({ line }) => line)).toEqual([1, 6, 14]);
});

test("every kind that is read is read by a preset, and none by all", () => {
  for (const { kind, group } of KINDS) {
    const told = ["kube-scheduler", "kueue", "volcano", "kai", "ray"].filter(
      (preset) => leftOut(preset, [{ kind, group, line: 1 }]).length > 0,
    );
    expect(told.length, kind).toBeGreaterThan(0);
    expect(told.length, kind).toBeLessThan(5);
  }
});
