/** The published schema as a list of its fields: every leaf with its name, what it allows, and what is said of it. */

export interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly prefixItems?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly additionalProperties?: SchemaNode | boolean;
}

export interface SchemaField {
  /** `services.demand.points.atMs`: without places in lists; jobs of the workload are called by their own name. */
  readonly path: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

/** All leaves below a node, in the order of the schema: what is no object, nor a list of objects. */
export function fieldsOf(node: SchemaNode, path = "", required = false): SchemaField[] {
  const entry = node.items ?? node;
  if (entry.properties === undefined) return [{ path, node, required }];
  return Object.entries(entry.properties).flatMap(([key, child]) => {
    const below = path === "" || path === "workload" ? key : `${path}.${key}`;
    return fieldsOf(child, below, entry.required?.includes(key) ?? false);
  });
}

/** The values of a choice; empty where a field is none. Of a list of choices none: they are proved as a list. */
export function optionsOf({ enum: own, anyOf = [] }: SchemaNode): unknown[] {
  return [
    ...(own ?? []),
    ...anyOf.flatMap((each) => each.enum ?? (each.const === undefined ? [] : [each.const])),
  ];
}
