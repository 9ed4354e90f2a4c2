/** Every kind that has a form, with the fields that change what a preset decides. What has none stands in `textOnly.ts` and in the text, which the form does not touch. */
import type { KindForm } from "./formSpec.ts";
import { DESCHEDULER_FORM } from "./kinds/deschedulerForm.ts";
import { KAI_FORMS } from "./kinds/kaiForms.ts";
import { KUBERNETES_FORMS } from "./kinds/kubernetesForms.ts";
import { KUEUE_FORMS } from "./kinds/kueueForms.ts";
import { RAY_FORMS } from "./kinds/rayForms.ts";
import { VOLCANO_FORMS } from "./kinds/volcanoForms.ts";

export const KIND_FORMS: readonly KindForm[] = [
  ...KUEUE_FORMS,
  DESCHEDULER_FORM,
  ...KUBERNETES_FORMS,
  ...VOLCANO_FORMS,
  ...KAI_FORMS,
  ...RAY_FORMS,
];

/** The form of an object; undefined for a kind that is in the text only. */
export function formOf(kind: string, apiVersion: string): KindForm | undefined {
  const group = groupOf(apiVersion);
  return KIND_FORMS.find((form) => form.kind === kind && form.group === group);
}

/** "kueue.x-k8s.io" of "kueue.x-k8s.io/v1beta2"; "" = the core group. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.lastIndexOf("/");
  return slash < 0 ? "" : apiVersion.slice(0, slash);
}
