/** What is read of a RayCluster, and what is wrong with one. */
import { expect, test } from "vitest";
import { readKubernetes } from "../../../src/scenario/kubernetes/readKubernetes.ts";

const HEAD = "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: team}\n";

function clusterOf(spec: string) {
  const read = readKubernetes(`${HEAD}spec: ${spec}`, "yaml");
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  const [object] = read.value.objects;
  if (object?.kind !== "RayCluster") throw new Error("no RayCluster");
  return object;
}

function problemsOf(spec: string): string[] {
  const read = readKubernetes(`${HEAD}spec: ${spec}`, "yaml");
  return read.ok ? [] : read.error.map(({ place, message }) => `${place} ${message}`);
}

test("a worker's logical resources: what ray start is told, else limits, else requests of its first container", () => {
  const template = (resources: string) =>
    `template: {spec: {containers: [{name: ray-worker, resources: ${resources}}, {resources: {limits: {nvidia.com/gpu: 1}}}]}}`;
  const group = (fields: string) =>
    clusterOf(`{workerGroupSpecs: [{groupName: g, ${fields}}]}`).groups[0]!;
  const limits = "{limits: {cpu: 500m, nvidia.com/gpu: 4}, requests: {cpu: 2}}";
  expect(group(template(limits))).toMatchObject({ cpuMilli: 500, gpus: 4 });
  expect(group(template("{requests: {cpu: 2}}"))).toMatchObject({ cpuMilli: 2_000, gpus: null });
  expect(
    group(`rayStartParams: {num-gpus: "2", num-cpus: "8"}, ${template(limits)}`),
  ).toMatchObject({ cpuMilli: 8_000, gpus: 2 });
});

test("replicas stand between the least and the most; without any there are the least", () => {
  const group = (fields: string) =>
    clusterOf(`{workerGroupSpecs: [{groupName: g, ${fields}}]}`).groups[0]!;
  expect(group("minReplicas: 2, maxReplicas: 5")).toMatchObject({ replicas: 2, maxReplicas: 5 });
  expect(group("replicas: 1, minReplicas: 2")).toMatchObject({ replicas: 2 });
});

test("the idle timeout is that of the group, else of the cluster; the mode of upscaling is the cluster's", () => {
  const cluster = clusterOf(
    "{enableInTreeAutoscaling: true, autoscalerOptions: {upscalingMode: Conservative, idleTimeoutSeconds: 30, version: v2}, workerGroupSpecs: [{groupName: g, idleTimeoutSeconds: 5}]}",
  );
  expect(cluster).toMatchObject({
    autoscaling: true,
    upscalingMode: "Conservative",
    idleTimeoutMs: 30_000,
  });
  expect(cluster.groups[0]!.idleTimeoutMs).toBe(5_000);
});

test("a misspelt field, a mode that there is not and two groups of one name are faults with their line", () => {
  expect(problemsOf("{enableInTreeAutoscalin: true}")).toEqual([
    'yaml:4, spec.enableInTreeAutoscalin RayCluster has no field "enableInTreeAutoscalin" here.',
  ]);
  expect(problemsOf("{autoscalerOptions: {upscalingMode: Fast}}")[0]).toContain("upscalingMode");
  expect(problemsOf("{workerGroupSpecs: [{groupName: g}, {groupName: g}]}")).toEqual([
    "yaml:4, spec.workerGroupSpecs two worker groups have the same groupName",
  ]);
});
