/** What is said of a document whose kind, API group or version is not read: the nearest that is, never the whole list. */
import type { Problem } from "../../base/problem.ts";
import type { KindReader } from "./kinds/kindReader.ts";
import { KINDS } from "./kinds/kinds.ts";
import { nearWords } from "./nearWords.ts";

/** Versions that are read, by API group, newest first. Older ones of Kueue differ in names that are read too. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  "": ["v1"],
  descheduler: ["v1alpha2"],
  "kubescheduler.config.k8s.io": ["v1"],
  "kueue.x-k8s.io": ["v1beta2", "v1beta1"],
  policy: ["v1"],
  "ray.io": ["v1"],
  "scheduling.k8s.io": ["v1"],
  "scheduling.run.ai": ["v2"],
  "scheduling.volcano.sh": ["v1beta1"],
  "topology.volcano.sh": ["v1alpha1"],
};
/** Kinds of Kueue that began later. */
const ALPHA: ReadonlySet<string> = new Set(["Cohort", "Topology"]);
const SHOWN_MOST = 100;

/** The reader of such an object, or what is wrong with its head. `at` places a field. O(kinds). */
export function readerFor(
  { kind, apiVersion }: { readonly kind?: unknown; readonly apiVersion?: unknown },
  at: (path: readonly PropertyKey[]) => string,
): KindReader | Problem {
  const given = String(apiVersion ?? "");
  const slash = given.lastIndexOf("/");
  const group = slash < 0 ? "" : given.slice(0, slash);
  const ofKind = KINDS.filter((known) => known.kind === kind);
  const reader = ofKind.find((known) => known.group === group);
  if (ofKind.length === 0) return unread(String(kind ?? "").slice(0, SHOWN_MOST), group, at);
  if (!reader)
    return {
      place: at(["apiVersion"]),
      message: `There is no ${String(kind)} of the API group "${group.slice(0, SHOWN_MOST)}".`,
      remedy: `Use ${ofKind.map((known) => newestOf(known)).join(" or ")}.`,
    };
  const version = given.slice(slash + 1);
  const isKnown =
    VERSIONS[group]!.includes(version) || (version === "v1alpha1" && ALPHA.has(reader.kind));
  if (isKnown) return reader;
  return {
    place: at(["apiVersion"]),
    message: `The version "${version.slice(0, SHOWN_MOST)}" of ${reader.kind} is not read.`,
    remedy: `Use ${newestOf(reader)}.`,
  };
}

const newestOf = ({ group }: KindReader): string =>
  `${group}${group === "" ? "" : "/"}${VERSIONS[group]![0]}`;

function unread(
  kind: string,
  group: string,
  at: (path: readonly PropertyKey[]) => string,
): Problem {
  if (kind.endsWith("List"))
    return {
      place: at(["kind"]),
      message: `A ${kind} is not read, only what is in it.`,
      remedy: "Give each of its items as a document of its own, with a line --- between them.",
    };
  const names = [...new Set(KINDS.map((known) => known.kind))];
  const near = nearWords(kind, names);
  const ofGroup = group === "" ? [] : KINDS.filter((known) => known.group === group);
  const offered = near.length > 0 ? near : ofGroup.map((known) => known.kind);
  return {
    place: at(["kind"]),
    message: kind === "" ? "It has no kind." : `The kind "${kind}" is not read.`,
    remedy:
      offered.length > 0
        ? `Remove the document, or use ${offered.join(", ")}.`
        : "Remove the document: no preset of this family needs it.",
  };
}
