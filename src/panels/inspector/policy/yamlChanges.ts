/**
 * What differs between two texts of a policy, by object and field: "ClusterQueue team-a · nominalQuota nvidia.com/gpu of h100: 16 → 32". Objects are the same by kind, namespace and name, items of a
 * list by their name, else by their place.
 */
import { type PlainNode, readPlainYaml } from "./plainYaml.ts";
import type { SettingChange } from "./settingWords.ts";

/** Longer texts are told by their lines: this is asked at every key. */
const TEXT_MOST = 60_000;
const VALUE_MOST = 80;

interface Field {
  readonly label: string;
  readonly value: string;
}

type Fields = ReadonlyMap<string, Field>;

/** Empty where no field differs (comments, order) or a text is not plain. O(texts). */
export function yamlChanges(was: string, now: string): SettingChange[] {
  if (was.length + now.length > TEXT_MOST) return [];
  const [before, after] = [objectsOf(was), objectsOf(now)];
  if (before === null || after === null) return [];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [from, to] = [before.get(name), after.get(name)];
    if (!from || !to)
      return [{ label: name, from: from ? "there" : "none", to: to ? "added" : "removed" }];
    return fieldChanges(name, from, to);
  });
}

function fieldChanges(name: string, from: Fields, to: Fields): SettingChange[] {
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((path) => {
    const [was, now] = [from.get(path), to.get(path)];
    if (was?.value === now?.value) return [];
    const label = `${name} · ${(now ?? was)!.label}`;
    return [{ label, from: was?.value ?? "not set", to: now?.value ?? "not set" }];
  });
}

/** By name. Null where it is not plain or an object has no name of its own. */
function objectsOf(text: string): ReadonlyMap<string, Fields> | null {
  const documents = readPlainYaml(text);
  if (documents === null) return null;
  const objects = new Map<string, Fields>();
  for (const document of documents) {
    const metadata = document.get("metadata");
    const part = (key: string) => (metadata instanceof Map ? metadata.get(key) : undefined);
    const [kind, name, namespace] = [document.get("kind"), part("name"), part("namespace")];
    if (typeof kind !== "string") return null;
    const words = [kind, ...(typeof name === "string" ? [name] : [])].join(" ");
    const key = typeof namespace === "string" ? `${words} in ${namespace}` : words;
    if (objects.has(key)) return null;
    const fields = new Map<string, Field>();
    collect(document, [], [], [], fields);
    objects.set(key, fields);
  }
  return objects;
}

const ROOTS: ReadonlySet<string> = new Set(["spec", "metadata"]);

/** `keys`: of the maps since the last item of a list; `names`: of the items, innermost first. */
function collect(
  node: PlainNode,
  path: readonly string[],
  keys: readonly string[],
  names: readonly string[],
  into: Map<string, Field>,
): void {
  if (node instanceof Map) {
    const nameless = names.length > 0 && keys.length === 0;
    for (const [key, value] of node) {
      // The name of an item is part of its path.
      if (nameless && key === "name" && value === names[0]) continue;
      const own = path.length === 0 && ROOTS.has(key) ? [] : [...keys, key];
      collect(value, [...path, key], own, names, into);
    }
    return;
  }
  if (Array.isArray(node) && node.some((item) => typeof item !== "string")) {
    for (const [idx, item] of node.entries()) {
      const name = item instanceof Map ? item.get("name") : undefined;
      const word = typeof name === "string" ? name : `${keys.join(".")} ${idx + 1}`;
      // An item without name that is the only one needs none.
      const own = typeof name === "string" || node.length > 1 ? [word, ...names] : names;
      collect(item, [...path, word], [], own, into);
    }
    return;
  }
  const [first, ...others] = names;
  const of = others.map((name) => ` of ${name}`).join("");
  const label = `${keys.join(".")}${first === undefined ? "" : ` ${first}${of}`}`.trim();
  const value = typeof node === "string" ? node : `[${(node as readonly string[]).join(", ")}]`;
  into.set(path.join("\u0000"), {
    label,
    value: value.length > VALUE_MOST ? `${value.slice(0, VALUE_MOST)}…` : value || "nothing",
  });
}
