/** An advance reservation, as `scontrol create reservation` makes it (scontrol(1), "Reservations"). */
export interface Reservation {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Names of nodes; empty = chosen by count. */
  readonly nodes: readonly string[];
  /** All nodes of the cluster. */
  readonly allNodes: boolean;
  /** Nodes wanted when `nodes` is empty and `allNodes` is false. */
  readonly nodeCount: number;
  /** Users and accounts that may use it; both empty = nobody but by flag. */
  readonly users: readonly string[];
  readonly accounts: readonly string[];
  /** "" = any. */
  readonly partition: string;
  /** `MAINT`, `IGNORE_JOBS`, `OVERLAP`, `FLEX`, `MAGNETIC`, `DAILY`, `WEEKLY`, …, in capitals. */
  readonly flags: readonly string[];
}
