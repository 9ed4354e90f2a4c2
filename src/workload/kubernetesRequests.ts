/** What jobs ask of the Kubernetes family, one object for those that ask for the same. */
import type { KubernetesRequest } from "../model/kubernetes/request.ts";
import type { JobEntry } from "../scenario/schema.ts";

type Asked = NonNullable<JobEntry["kubernetes"]>;

export class KubernetesRequests {
  readonly #byText = new Map<string, KubernetesRequest>();

  /** O(text of the request). */
  of(asked: Asked, ray?: JobEntry["ray"]): KubernetesRequest {
    const text = JSON.stringify([asked, ray]);
    let request = this.#byText.get(text);
    if (request === undefined) {
      request = ray === undefined ? requestOf(asked) : { ...requestOf(asked), ray };
      this.#byText.set(text, request);
    }
    return request;
  }
}

function requestOf({ topology, ...asked }: Asked): KubernetesRequest {
  if (topology === undefined) return asked;
  const { mode, level = "", sliceSize, sliceLevel = level } = topology;
  return { ...asked, topology: { mode, level, sliceSize, sliceLevel } };
}
