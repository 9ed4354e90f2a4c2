/** Logical resources of Ray: amounts by name; what is not named is 0, and an amount of 0 is not asked for. Amounts are multiples of 0.0001, so smaller differences are rounding. */
export type RayResources = Readonly<Record<string, number>>;

export interface RayNode {
  readonly name: string;
  readonly available: RayResources;
  readonly total: RayResources;
}

const ROUNDING = 1e-9;

/** Does `request` fit into these amounts? O(resources asked for). */
export function covers(amounts: RayResources, request: RayResources): boolean {
  return Object.entries(request).every(
    ([name, asked]) => asked === 0 || asked <= (amounts[name] ?? 0) + ROUNDING,
  );
}

/** The sum of several requests. */
export function sumOf(requests: readonly RayResources[]): RayResources {
  const sum: Record<string, number> = {};
  for (const request of requests)
    for (const [name, amount] of Object.entries(request)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}

/** What is left once a request is taken. */
export function without(amounts: RayResources, request: RayResources): RayResources {
  const left: Record<string, number> = { ...amounts };
  for (const [name, asked] of Object.entries(request)) left[name] = (left[name] ?? 0) - asked;
  return left;
}
