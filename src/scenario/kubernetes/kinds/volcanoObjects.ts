/**
 * Volcano's kinds: Queue (`scheduling.volcano.sh`), HyperNode (`topology.volcano.sh`), and the ConfigMap that carries `volcano-scheduler.conf`, whose text is YAML of its own.
 * Plugins that are not modelled may stand in it and do nothing. Source: volcano-sh/apis, `pkg/scheduler/conf`.
 */

import { parse } from "yaml";
import * as z from "zod/mini";
import { VOLCANO_ACTIONS, type VolcanoPlugin } from "../../../model/kubernetes/volcanoConfig.ts";
import { amountOf } from "../quantity.ts";
import { head, ignored, kindReader, objectName } from "./kindReader.ts";

const quantity = z
  .union([z.number(), z.string().check(z.maxLength(40))])
  .check(z.refine((value) => amountOf("pieces", value) !== null, "is no quantity"));
const amounts = z._default(z.record(z.string().check(z.maxLength(253)), quantity), {});

function amountsOf(given: Readonly<Record<string, string | number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, amountOf(name, value) ?? 0]),
  );
}

const resources = z.optional(z.strictObject({ resource: amounts }));

export const volcanoQueue = kindReader(
  "Queue",
  "scheduling.volcano.sh",
  z.strictObject({
    ...head,
    spec: z.prefault(
      z.strictObject({
        weight: z._default(z.int().check(z.gte(1), z.lte(65_535)), 1),
        priority: z._default(z.int(), 0),
        parent: z._default(z.string().check(z.maxLength(253)), ""),
        capability: amounts,
        guarantee: resources,
        deserved: amounts,
        reclaimable: z._default(z.boolean(), true),
        type: ignored,
        affinity: ignored,
        extendClusters: ignored,
        dequeueStrategy: ignored,
        /** Upstream it is part of the status; a command sets it. */
        state: z._default(z.enum(["Open", "Closed"]), "Open"),
      }),
      {},
    ),
  }),
  ({ metadata, spec }) => ({
    kind: "VolcanoQueue",
    name: metadata.name,
    namespace: "",
    weight: spec.weight,
    priority: spec.priority,
    parent: spec.parent === "root" ? "" : spec.parent,
    capability: amountsOf(spec.capability),
    guarantee: amountsOf(spec.guarantee?.resource ?? {}),
    deserved: amountsOf(spec.deserved),
    reclaimable: spec.reclaimable,
    open: spec.state === "Open",
  }),
);

const PATTERN_MOST = 200;
const selector = z.strictObject({
  exactMatch: z.optional(z.strictObject({ name: objectName })),
  regexMatch: z.optional(
    z.strictObject({
      pattern: z
        .string()
        .check(z.maxLength(PATTERN_MOST), z.refine(isPlainPattern, "is no pattern that is read")),
    }),
  ),
  labelMatch: ignored,
});

/** Characters, classes, dots, stars and groups of alternatives: nothing that could run for ever on a name. */
function isPlainPattern(pattern: string): boolean {
  if (/[+*?}][+*?{]|\)[+*?{]|\\[^dw.-]/.test(pattern)) return false;
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

export const hyperNode = kindReader(
  "HyperNode",
  "topology.volcano.sh",
  z.strictObject({
    ...head,
    spec: z.strictObject({
      tier: z.int().check(z.gte(0), z.lte(100)),
      tierName: ignored,
      members: z._default(
        z.array(z.strictObject({ type: z.enum(["Node", "HyperNode"]), selector })),
        [],
      ),
    }),
  }),
  ({ metadata, spec }) => ({
    kind: "HyperNode",
    name: metadata.name,
    namespace: "",
    tier: spec.tier,
    members: spec.members.map(({ type, selector: { exactMatch, regexMatch } }) => ({
      type,
      names: exactMatch === undefined ? [] : [exactMatch.name],
      pattern: regexMatch?.pattern ?? null,
    })),
  }),
);

const argument = z.union([z.string(), z.number(), z.boolean()]);
const plugin = z.looseObject({
  name: z.string().check(z.maxLength(100)),
  arguments: z.optional(z.record(z.string(), z.unknown())),
});
const configuration = z.strictObject({
  actions: z.string().check(z.maxLength(500)),
  tiers: z._default(z.array(z.strictObject({ plugins: z.array(plugin) })), []),
  configurations: ignored,
  metrics: ignored,
});
const FILE = "volcano-scheduler.conf";

/** `null` where the text says nothing that can be run. */
function configurationOf(text: string) {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch {
    return null;
  }
  const read = configuration.safeParse(value);
  if (!read.success) return null;
  const names = read.data.actions
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const actions = names.flatMap((name) => VOLCANO_ACTIONS.filter((known) => known === name));
  if (actions.length < names.length) return null;
  return { actions, tiers: read.data.tiers.map(({ plugins }) => plugins.map(pluginOf)) };
}

function pluginOf(given: z.output<typeof plugin>): VolcanoPlugin {
  const off = Object.entries(given).flatMap(([key, value]) => (value === false ? [key] : []));
  const entries = Object.entries(given.arguments ?? {}).flatMap(([key, value]) => {
    const known = argument.safeParse(value);
    return known.success ? [[key, known.data] as const] : [];
  });
  return { name: given.name, off, arguments: Object.fromEntries(entries) };
}

export const volcanoConfiguration = kindReader(
  "ConfigMap",
  "",
  z.strictObject({
    ...head,
    data: z.strictObject({
      [FILE]: z
        .string()
        .check(
          z.refine(
            (text) => configurationOf(text) !== null,
            `needs "actions" (of ${VOLCANO_ACTIONS.join(", ")}) and "tiers"`,
          ),
        ),
    }),
  }),
  ({ metadata, data }) => ({
    kind: "VolcanoConfiguration",
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    ...configurationOf(data[FILE]!)!,
  }),
);
