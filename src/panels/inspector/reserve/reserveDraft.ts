/** The form of `scontrol create reservation`: what was typed, what is wrong with it, and the entry it becomes. */
import { LIMITS } from "../../../model/limits.ts";
import { SECOND_MS } from "../../../model/units.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import type { Intervention } from "../../../scenario/schema.ts";
import { nameList, type Value, wholeNumber } from "../../../scenario/slurm/values.ts";
import { hostsError } from "../sbatch/sbatchDraft.ts";
import { slurmTime } from "../sbatch/sbatchOf.ts";
import { beginOf, limitOf } from "../sbatch/sbatchWords.ts";

export interface ReserveDraft {
  readonly name: string;
  /** `now`, or as `--begin` takes it. */
  readonly start: string;
  readonly duration: string;
  /** A host list or `ALL`; empty with `nodeCount`. */
  readonly nodes: string;
  readonly nodeCount: string;
  readonly users: string;
  readonly accounts: string;
  readonly flags: string;
}

export type ReserveErrors = { readonly [K in keyof ReserveDraft]?: string };

export interface ReserveSite {
  readonly nodes: ReadonlySet<string>;
  readonly taken: ReadonlySet<string>;
  readonly nowMs: number;
  readonly calendar: string | undefined;
}

export function emptyReservation(node: string | null): ReserveDraft {
  return {
    name: "maint",
    start: "now",
    duration: "4:00:00",
    nodes: node ?? "ALL",
    nodeCount: "",
    users: "root",
    accounts: "",
    flags: "MAINT",
  };
}

type Reserve = Extract<Intervention, { kind: "reserve" }>;

/** The form of a reservation that was made: the other way round. Its start is said from where it is made. */
export function draftOf(made: Reserve): ReserveDraft {
  const afterMs = Math.max(0, made.startMs - made.atMs);
  return {
    name: made.name,
    start: afterMs === 0 ? "now" : `now+${Math.round(afterMs / SECOND_MS)}`,
    duration: slurmTime(made.endMs - made.startMs),
    nodes: made.nodes ?? "",
    nodeCount: made.nodeCount === undefined ? "" : String(made.nodeCount),
    users: made.users.join(","),
    accounts: made.accounts.join(","),
    flags: made.flags.join(","),
  };
}

/** What stands in the way of each field. O(nodes named). */
export function reserveErrors(draft: ReserveDraft, site: ReserveSite): ReserveErrors {
  const errors: { -readonly [K in keyof ReserveDraft]?: string } = {};
  const name = draft.name.trim();
  if (name === "" || name.length > LIMITS.nameLength)
    errors.name = `Give it a name of at most ${LIMITS.nameLength} characters.`;
  else if (site.taken.has(name)) errors.name = "There is a reservation of that name.";
  const start = startOf(draft, site);
  if (!start.ok) errors.start = start.error;
  else if (start.value < site.nowMs) errors.start = "That has passed.";
  const span = limitOf(draft.duration);
  if (!span.ok) errors.duration = "Use minutes, 4:00:00 or 1-00:00:00.";
  else if (start.ok && start.value + span.value > LIMITS.horizonMs)
    errors.duration = "That is behind the longest run.";
  const byCount = draft.nodeCount.trim() !== "";
  if (byCount) {
    const count = wholeNumber(draft.nodeCount.trim(), 1, site.nodes.size);
    if (!count.ok) errors.nodeCount = count.error;
    else if (draft.nodes.trim() !== "") errors.nodeCount = "Give Nodes or NodeCnt, not both.";
  } else if (draft.nodes.trim() === "") errors.nodes = "Say which nodes, or how many.";
  else if (!isAll(draft)) {
    const wrong = hostsError(draft.nodes, site.nodes);
    if (wrong !== null) errors.nodes = wrong;
  }
  if (draft.users.trim() === "" && draft.accounts.trim() === "")
    errors.users = "Slurm wants users or accounts: root keeps everybody out.";
  return errors;
}

function startOf(draft: ReserveDraft, site: ReserveSite): Value<number> {
  return beginOf(draft.start, site.nowMs, site.calendar);
}

function isAll(draft: ReserveDraft): boolean {
  return draft.nodes.trim().toUpperCase() === "ALL";
}

/** The intervention of a draft without errors. */
export function reserveEntry(draft: ReserveDraft, site: ReserveSite): InterventionInput {
  const start = startOf(draft, site);
  const span = limitOf(draft.duration);
  const startMs = start.ok ? start.value : site.nowMs;
  const nodes = draft.nodes.trim();
  return {
    kind: "reserve",
    atMs: site.nowMs,
    name: draft.name.trim(),
    startMs,
    endMs: startMs + (span.ok ? span.value : 0),
    ...(nodes === ""
      ? { nodeCount: Number(draft.nodeCount) }
      : { nodes: isAll(draft) ? "ALL" : nodes }),
    users: nameList(draft.users),
    accounts: nameList(draft.accounts),
    flags: nameList(draft.flags.toUpperCase()),
  };
}
