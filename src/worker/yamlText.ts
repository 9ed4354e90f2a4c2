/** The YAML of a policy as an editor asks for it: what is wrong with it, by line, and its objects for a form. A file of its own, because most visits edit none. */
import type { YamlRead } from "../protocol/messages.ts";
import { readForm, readHeads } from "../scenario/kubernetes/form/readForm.ts";
import { readKubernetes } from "../scenario/kubernetes/readKubernetes.ts";

/** `withForm`: the objects with all their fields, else their heads. Never throws on what is typed. O(text). */
export function readYamlText(text: string, withForm: boolean): YamlRead {
  const read = readKubernetes(text, "yaml");
  const findings = read.ok
    ? []
    : read.error.map(({ place, message, remedy }) => {
        const [, line = "1", path = ""] = /^yaml(?::(\d+))?(?:, (.*))?$/.exec(place) ?? [];
        const where = path === "" ? "" : `${path}: `;
        return { line: Number(line), sentence: `${where}${message} ${remedy}` };
      });
  return withForm
    ? { findings, objects: readForm(text), heads: [] }
    : { findings, objects: null, heads: readHeads(text) ?? [] };
}
