/**
 * What the schema of one field cannot tell, and the API server or the webhook of the real system refuses: quotas that do not fit what their group covers, names
 * given twice, two defaults, a budget that says two things. References to what is not there pass: Kubernetes takes objects in any order, and Kueue leaves a queue without
 * its flavor or ClusterQueue inactive. Circles of parents are the exception: Kueue takes them and then admits nothing below, here they are refused, for no order of
 * quotas can be made of them. O(objects + quotas × covered resources). Sources: kueue `pkg/webhooks/clusterqueue_webhook.go`, CEL rules of its Topology; kubernetes
 * `pkg/apis/policy/validation`, `plugin/pkg/admission/priority`.
 */
import type { Problem } from "../../base/problem.ts";
import type { KubernetesObject, PodDisruptionBudget } from "../../model/kubernetes/config.ts";
import {
  type FlavorQuota,
  HOSTNAME_LABEL,
  type ResourceGroup,
} from "../../model/kubernetes/kueueConfig.ts";
import { checkLimits } from "./limitChecks.ts";

type Path = readonly (string | number)[];

/** An object and where the parts of its text stand. */
export interface PlacedObject {
  readonly object: KubernetesObject;
  readonly at: (path: Path) => string;
}

export type Tell = (path: Path, message: string, remedy: string) => void;

/** Every fault of the objects, alone and together, in the order of the text; circles last. */
export function checkObjects(placed: readonly PlacedObject[]): Problem[] {
  const problems: Problem[] = [];
  let defaultClass: string | null = null;
  for (const { object, at } of placed) {
    const tell: Tell = (path, message, remedy) =>
      problems.push({ place: at(path), message, remedy });
    if (object.kind === "ClusterQueue" || object.kind === "Cohort") {
      checkGroups(object.groups, tell);
      checkLimits(object, tell);
    }
    if (object.kind === "Topology") checkLevels(object.levels, tell);
    if (object.kind === "PodDisruptionBudget") checkBudget(object, tell);
    if (object.kind === "PriorityClass" && object.globalDefault) {
      if (defaultClass !== null)
        tell(
          ["globalDefault"],
          `PriorityClass "${defaultClass}" is the default already.`,
          "Leave globalDefault true at one class.",
        );
      defaultClass ??= object.name;
    }
  }
  checkCircles(placed, problems);
  return problems;
}

function checkGroups(groups: readonly ResourceGroup[], tell: Tell): void {
  const covered = new Set<string>();
  const flavors = new Set<string>();
  for (const [groupIdx, group] of groups.entries()) {
    const path = ["spec", "resourceGroups", groupIdx];
    for (const [idx, resource] of group.resources.entries()) {
      if (covered.has(resource))
        tell(
          [...path, "coveredResources", idx],
          `"${resource}" is covered twice.`,
          "Name each resource in one group, once.",
        );
      covered.add(resource);
    }
    for (const [idx, quotas] of group.flavors.entries()) {
      const ofFlavor = [...path, "flavors", idx];
      if (flavors.has(quotas.flavor))
        tell(
          [...ofFlavor, "name"],
          `Flavor "${quotas.flavor}" is there twice.`,
          "Name each flavor in one group, once.",
        );
      flavors.add(quotas.flavor);
      checkQuotas(group.resources, quotas, ofFlavor, tell);
    }
  }
}

/** A flavor has a quota of each covered resource, in their order. */
function checkQuotas(
  covered: readonly string[],
  { flavor, resources }: FlavorQuota,
  path: Path,
  tell: Tell,
): void {
  const given = resources.map(({ resource }) => resource);
  const without = covered.find((resource) => !given.includes(resource));
  const beyondIdx = given.findIndex((resource) => !covered.includes(resource));
  const misplacedIdx = given.findIndex((resource, idx) => resource !== covered[idx]);
  if (without !== undefined)
    tell(
      [...path, "resources"],
      `Flavor "${flavor}" has no quota of "${without}", which its group covers.`,
      `Give it one (0 is a quota), or take "${without}" from coveredResources.`,
    );
  if (beyondIdx >= 0)
    tell(
      [...path, "resources", beyondIdx, "name"],
      `Flavor "${flavor}" has a quota of "${given[beyondIdx]}", which its group does not cover.`,
      "Add it to coveredResources, or remove the quota.",
    );
  if (without === undefined && beyondIdx < 0 && misplacedIdx >= 0)
    tell(
      [...path, "resources", misplacedIdx, "name"],
      `The quotas of flavor "${flavor}" do not follow coveredResources.`,
      `Give one of each, in this order: ${covered.join(", ")}.`,
    );
}

function checkLevels(levels: readonly string[], tell: Tell): void {
  for (const [idx, level] of levels.entries()) {
    const path = ["spec", "levels", idx, "nodeLabel"];
    if (levels.indexOf(level) < idx)
      tell(path, `The level "${level}" is there twice.`, "Name each level once, widest first.");
    else if (level === HOSTNAME_LABEL && idx < levels.length - 1)
      tell(path, `"${level}" can only be the lowest level.`, "Put it last.");
  }
}

function checkBudget(budget: PodDisruptionBudget, tell: Tell): void {
  const { minAvailable, maxUnavailable } = budget;
  if (minAvailable !== null && maxUnavailable !== null)
    tell(
      ["spec", "maxUnavailable"],
      "minAvailable and maxUnavailable cannot both be given.",
      "Keep one of the two.",
    );
  for (const field of ["minAvailable", "maxUnavailable"] as const) {
    const given = budget[field];
    if (given?.percent && given.amount > 100)
      tell(["spec", field], "This is more than 100 %.", "Use a part from 0% to 100%.");
  }
}

interface Child {
  readonly parent: string;
  readonly placed: PlacedObject;
  readonly path: Path;
}

/** Told once each, at the first of its members. */
function checkCircles(placed: readonly PlacedObject[], problems: Problem[]): void {
  const childOf = new Map<string, Child>();
  for (const one of placed) {
    const child = childAt(one);
    if (child) childOf.set(`${one.object.kind} ${one.object.name}`, child);
  }
  const done = new Set<string>();
  for (const start of childOf.keys()) {
    const way: string[] = [];
    let key = start;
    while (childOf.has(key) && !done.has(key)) {
      done.add(key);
      way.push(key);
      const { parent, placed: one } = childOf.get(key)!;
      key = `${one.object.kind} ${parent}`;
    }
    const from = way.indexOf(key);
    if (from < 0) continue;
    const members = way.slice(from).map((member) => childOf.get(member)!);
    const [first] = members;
    const names = members.map(({ placed: { object } }) => object.name);
    problems.push({
      place: first!.placed.at(first!.path),
      message: `The parents form a circle: ${[...names, names[0]].slice(-NAMES_MOST).join(" → ")}.`,
      remedy: "Leave the parent of one of them out.",
    });
  }
}

const NAMES_MOST = 6;

function childAt(placed: PlacedObject): Child | null {
  const { object } = placed;
  switch (object.kind) {
    case "Cohort":
      return object.parent === null
        ? null
        : { parent: object.parent, placed, path: ["spec", "parentName"] };
    case "VolcanoQueue":
      return object.parent === ""
        ? null
        : { parent: object.parent, placed, path: ["spec", "parent"] };
    case "KaiQueue":
      return object.parent === ""
        ? null
        : { parent: object.parent, placed, path: ["spec", "parentQueue"] };
    default:
      return null;
  }
}
