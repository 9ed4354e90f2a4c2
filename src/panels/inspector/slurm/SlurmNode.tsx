/** The state of a node as `sinfo` has it (sinfo(1), "NODE STATE CODES"), with the reservation that it is in. */
import type { NodeState } from "../../../model/states.ts";
import { reservedNow } from "../../../store/reservations.ts";

interface SlurmNodeProps {
  readonly node: number;
  readonly state: NodeState;
  readonly held: number;
  readonly devices: number;
  readonly atMs: number;
}

export function SlurmNode(props: SlurmNodeProps) {
  const inside = reservedNow(props.node, props.atMs);
  const maint = inside.some((one) => one.flags.includes("MAINT"));
  return (
    <p className="part-note">
      In Slurm: {nodeWord(props, maint, inside.length > 0)}
      {inside.length > 0 && `, reservation ${inside.map((one) => one.name).join(", ")}`}
    </p>
  );
}

/** `IDLE`, `MIXED`, `ALLOCATED`; `DRAINING` while jobs are on it, `DRAINED` after; `MAINT`, `RESERVED`, `DOWN`. */
export function nodeWord(
  { state, held, devices }: Pick<SlurmNodeProps, "state" | "held" | "devices">,
  maint: boolean,
  reserved: boolean,
): string {
  if (state === "down" || state === "unborn") return "DOWN";
  const busy = held === 0 ? "" : held < devices ? "MIXED" : "ALLOCATED";
  if (state === "drained") return busy === "" ? "DRAINED" : "DRAINING";
  if (maint) return "MAINT";
  // Slurm does not know yet that the node does not answer.
  return busy || (reserved ? "RESERVED" : "IDLE");
}
