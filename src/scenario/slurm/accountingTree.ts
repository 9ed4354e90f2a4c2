/** The tree of associations while commands build it, and the list that it becomes: preorder, users before accounts, by name. */
import type { SlurmAssociation } from "../../model/slurm/config.ts";
import { defaultAssociation } from "../../model/slurm/defaults.ts";
import type { Fields } from "./accountingOptions.ts";
import { changedList } from "./accountingOptions.ts";
import type { Option } from "./accountingText.ts";
import { keyOf } from "./lex.ts";

export interface Entry {
  readonly account: string;
  readonly user: string;
  readonly partition: string;
  parent: Entry | null;
  children: Entry[];
  /** Own values of limits and the like, without those passed down. */
  readonly fields: Fields;
  /** QOS of its own; null = those of the parent with `changes`. */
  qos: string[] | null;
  changes: Option[];
}

/** A new entry, hung below its parent. */
export function newEntry(
  account: string,
  user: string,
  partition: string,
  parent: Entry | null,
): Entry {
  const entry: Entry = {
    account,
    user,
    partition,
    parent,
    children: [],
    fields: {},
    qos: null,
    changes: [],
  };
  parent?.children.push(entry);
  return entry;
}

/** What an entry without a value of its own has from the one above it (slurmdbd passes these down, and no others). */
const PASSED_DOWN = [
  "maxJobs",
  "maxSubmitJobs",
  "maxTresPerJob",
  "maxTresPerNode",
  "maxTresMinsPerJob",
  "maxWallMs",
  "minPrioThreshold",
  "defaultQos",
  "priority",
] as const;

interface Inherited {
  readonly entry: Entry;
  readonly parent: number;
  readonly fields: Fields;
  readonly qos: readonly string[];
}

/** The associations in preorder, with what is passed down filled in. O(associations · log). */
export function associationsInPreorder(
  root: Entry,
  defaultAccounts: ReadonlyMap<string, string>,
): SlurmAssociation[] {
  const list: SlurmAssociation[] = [];
  const stack: Inherited[] = [{ entry: root, parent: -1, fields: {}, qos: [] }];
  while (stack.length > 0) {
    const { entry, parent, fields: above, qos: qosAbove } = stack.pop()!;
    const own = { ...passedDown(above), ...merge(above, entry.fields) };
    const qos = entry.changes.reduce<readonly string[]>(changedList, entry.qos ?? qosAbove);
    const index = list.length;
    const isDefault =
      entry.user !== "" &&
      keyOf(defaultAccounts.get(keyOf(entry.user)) ?? "") === keyOf(entry.account);
    list.push({
      ...defaultAssociation(entry.account, entry.user),
      ...own,
      parent,
      partition: entry.partition,
      qos,
      isDefault,
    } as SlurmAssociation);
    const children = entry.children.toSorted(before);
    for (const child of children.reverse()) {
      stack.push({ entry: child, parent: index, fields: own, qos });
    }
  }
  return list;
}

function passedDown(above: Fields): Fields {
  const fields: Fields = {};
  for (const name of PASSED_DOWN) if (above[name] !== undefined) fields[name] = above[name];
  return fields;
}

/** TRES limits are passed down each by itself: an entry that limits GPUs keeps its parent's limit of CPUs. */
function merge(above: Fields, own: Fields): Fields {
  const fields: Fields = { ...own };
  for (const name of ["maxTresPerJob", "maxTresPerNode", "maxTresMinsPerJob"]) {
    if (own[name] !== undefined)
      fields[name] = { ...(above[name] as object | undefined), ...(own[name] as object) };
  }
  return fields;
}

/** Users before accounts, each by name and partition, as sshare shows them. */
function before(a: Entry, b: Entry): number {
  if ((a.user === "") !== (b.user === "")) return a.user === "" ? 1 : -1;
  const first = a.user === "" ? a.account : `${a.user}\n${a.partition}`;
  const second = b.user === "" ? b.account : `${b.user}\n${b.partition}`;
  return first < second ? -1 : first > second ? 1 : 0;
}
