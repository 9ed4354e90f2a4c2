/** A policy of the Kubernetes family: what its YAML says. The same for every preset of the family. */
import { err, ok } from "../base/result.ts";
import { readKubernetes } from "../scenario/kubernetes/readKubernetes.ts";
import type { PolicyReader } from "./policyReaders.ts";

/** Reads the YAML of a policy; none is an empty one. O(text). */
export const readKubernetesPolicy: PolicyReader = (policy, _cluster, _nodes, place) => {
  const read = readKubernetes(policy.yaml ?? "", `${place}/yaml`);
  return read.ok ? ok({ kubernetes: read.value }) : err(read.error);
};
