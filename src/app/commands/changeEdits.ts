/** What is done to a change that is in the list: moved, edited, switched off and on. Each is one step of undo, and the run is replayed from the earlier time. */
import { clockText } from "../../base/format.ts";
import { completeIntervention } from "../../scenario/completeIntervention.ts";
import type { InterventionInput } from "../../scenario/interventions.ts";
import { replaceIntervention } from "../../scenario/interventions.ts";
import { aboutItsJob, movedIntervention } from "../../scenario/movedIntervention.ts";
import { policyAt } from "../../scenario/policyAt.ts";
import type { Intervention, Scenario } from "../../scenario/schema.ts";
import { timeBounds } from "../../store/camera.ts";
import type { CommandArgs } from "../../store/commands.ts";
import { editDocument } from "../../store/documents.ts";
import { notify } from "../../store/notices.ts";
import { useShell } from "../../store/shellState.ts";
import type { AppState } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import { copyText } from "../share/copyText.ts";

export async function change(args: CommandArgs["changeIntervention"]): Promise<void> {
  const { scenario } = useApp.getState();
  const before = scenario?.interventions[args.index];
  if (!scenario || !before) return;
  const made = completeIntervention(args.intervention as InterventionInput);
  // Switched off it stays off: what is edited need not act yet.
  const after = before.off ? { ...made, off: true as const } : made;
  const label = `Edit change ${args.index + 1}: ${args.label}`;
  await apply(replaceIntervention(scenario, args.index, after), args.index, label, `${label}.`);
}

export async function move({ index, atMs }: CommandArgs["moveIntervention"]): Promise<void> {
  const { scenario } = useApp.getState();
  const before = scenario?.interventions[index];
  if (!scenario || !before) return;
  const toMs = Math.round(Math.min(Math.max(0, atMs), lastMs(scenario)));
  if (toMs === before.atMs) return;
  const [from, to] = [before.atMs, toMs].map((ms) => clockText(ms, scenario.calendarStart));
  await apply(
    replaceIntervention(scenario, index, movedIntervention(before, toMs)),
    index,
    `Move change ${index + 1}`,
    `Change ${index + 1} moved from ${from} to ${to}.`,
  );
}

/** A change may not lie behind the end of the run. */
function lastMs({ horizonMs }: Scenario): number {
  return horizonMs ?? timeBounds().toMs;
}

export async function switchOver({ index }: CommandArgs["switchIntervention"]): Promise<void> {
  const { scenario } = useApp.getState();
  const before = scenario?.interventions[index];
  if (!scenario || !before) return;
  const goesOff = before.off === undefined;
  // What is about a job that is not put in can not be done either.
  const others = goesOff
    ? aboutItsJob(scenario.interventions, index).filter((i) => !scenario.interventions[i]!.off)
    : [];
  const next = [index, ...others].reduce(
    (made, i) => replaceIntervention(made, i, switched(made.interventions[i]!, goesOff)),
    scenario,
  );
  const also = others.map((i) => i + 1).join(", ");
  const with_ = also === "" ? "" : `, and with it ${also}, about its job`;
  await apply(
    next,
    index,
    `Switch change ${index + 1} ${goesOff ? "off" : "on"}`,
    `Change ${index + 1} is ${goesOff ? "off" : "on again"}${with_}.`,
  );
}

function switched(entry: Intervention, goesOff: boolean): Intervention {
  const { off, ...rest } = entry;
  return goesOff ? { ...rest, off: true } : rest;
}

const SIDE_OF: Partial<Record<Intervention["kind"], AppState["side"]>> = {
  policy: "policy",
  inject: "inject",
  drain: "drain",
  resume: "drain",
  fail: "drain",
  reserve: "reserve",
  label: "label",
};

/** Opens the editor of its kind; a job with parts that the form of jobs does not show has the plain one, for its time. */
export function edit({ index }: CommandArgs["editIntervention"]): void {
  const entry = useApp.getState().scenario?.interventions[index];
  if (!entry) return;
  useShell.setState({ editing: { index, change: entry, atMs: entry.atMs }, bottomOpen: true });
  const hasForm = entry.kind !== "inject" || isPlainJob(entry.job);
  useApp.setState({ side: (hasForm && SIDE_OF[entry.kind]) || "change" });
}

const NO_TEXTS = { conf: "", gres: "", topology: "", accounting: "" };

/** The difference to the configuration that was in force before the change; all of it where Slurm was not. */
export async function copyPatch({ index }: CommandArgs["copySlurmPatch"]): Promise<void> {
  const { scenario } = useApp.getState();
  const entry = scenario?.interventions[index];
  if (!scenario || entry?.kind !== "policy" || !entry.policy.slurm) return;
  const poolId = entry.pool ?? scenario.pools[0]?.id ?? "";
  const before = policyAt(scenario, poolId, entry.atMs, index).slurm ?? NO_TEXTS;
  const { slurmPatch } = await import("../share/slurmPatch.ts");
  const patch = slurmPatch(before, entry.policy.slurm);
  if (patch === "") notify("No line differs from what was in force before.");
  else await copyText(patch, `Lines of change ${index + 1} copied, for \`patch\` or by hand.`);
}

type InjectedJob = Extract<Intervention, { kind: "inject" }>["job"];

/** Whether the form of an injected job shows its size: a number of devices, of nodes, or members with a part of a device each. */
function isPlainJob({ components, slurm, gpus, nodes }: InjectedJob): boolean {
  if (components === undefined || components.length === 0) return true;
  const [part] = components;
  if (components.length > 1 || !part || slurm || gpus !== undefined || nodes !== undefined)
    return false;
  const { members, gpusPerMember, gpuShareMilli, migProfile, ...rest } = part;
  const isPart = (gpuShareMilli === undefined) !== (migProfile === undefined);
  return isPart && Object.values(rest).every((value) => !value);
}

async function apply(
  scenario: Scenario,
  index: number,
  label: string,
  said: string,
): Promise<void> {
  useApp.setState({ ghostShown: true });
  if (await editDocument(scenario, label, index + 1)) notify(said, true);
}
