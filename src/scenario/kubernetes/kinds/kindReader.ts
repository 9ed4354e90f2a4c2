/**
 * How one kind of object is read: its API group, the schema of what stands in the text, and what is kept of it. Fields that exist in Kubernetes and mean nothing
 * here are named in the schema as `ignored`, so that a misspelt field is still told apart from one that is not modelled.
 */
import * as z from "zod/mini";
import type { KubernetesObject } from "../../../model/kubernetes/config.ts";

type Issue = z.core.$ZodIssue;

export interface KindReader {
  readonly kind: string;
  /** API group without version: `kueue.x-k8s.io`; "" = the core group. */
  readonly group: string;
  /** Of what stands in the text; what may stand there and means nothing is `ignored` in it. */
  readonly schema: z.ZodMiniType;
  /** What the presets need of an object, or what is wrong with it. */
  readonly check: (
    value: unknown,
  ) => { readonly object: KubernetesObject } | { readonly issues: readonly Issue[] };
}

/** A reader from a schema and a function on what it lets through. */
export function kindReader<S extends z.ZodMiniType>(
  kind: string,
  group: string,
  schema: S,
  read: (value: z.output<S>) => KubernetesObject,
): KindReader {
  return {
    kind,
    group,
    schema,
    check: (value) => {
      const parsed = schema.safeParse(value, { reportInput: true });
      return parsed.success ? { object: read(parsed.data) } : { issues: parsed.error.issues };
    },
  };
}

/** A field that Kubernetes knows and that means nothing here. */
export const ignored = z.optional(z.unknown());

const NAME_MOST = 253;
export const objectName = z.string().check(z.minLength(1), z.maxLength(NAME_MOST));
export const labels = z.record(
  z.string().check(z.maxLength(317)),
  z.string().check(z.maxLength(NAME_MOST)),
);

/** `metadata` of any object; what tools add to it is ignored. */
export const metadata = z.looseObject({
  name: objectName,
  namespace: z.optional(objectName),
  labels: z.optional(labels),
});

/** What every object of the API has on top. */
export const head = { apiVersion: z.string(), kind: z.string(), metadata, status: ignored };
