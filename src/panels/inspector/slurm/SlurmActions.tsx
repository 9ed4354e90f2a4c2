/** What a user or an administrator does to a job under Slurm at the cursor, by the names of `scontrol` and `scancel`. */
import { useId, useMemo, useState } from "react";
import { clockText } from "../../../base/format.ts";
import { nameOf } from "../../../model/jobs.ts";
import { slurmReasonOf } from "../../../model/reasons.ts";
import { MEMBER_STATES } from "../../../model/states.ts";
import type { Stage } from "../../../protocol/messages.ts";
import type { InterventionInput } from "../../../scenario/interventions.ts";
import { run } from "../../../store/commands.ts";
import { useApp } from "../../../store/store.ts";
import { holdingsAt, type JobMoment, type JobStory, reasonAt } from "../../../timeline/jobStory.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../../ui/Field.tsx";
import { limitAt } from "../jobWords.ts";
import { hostsError } from "../sbatch/sbatchDraft.ts";
import { updateOf } from "../sbatch/updateWords.ts";
import "./slurmJob.css";

export interface SlurmActionsProps {
  readonly stage: Stage;
  readonly jobIdx: number;
  readonly atMs: number;
  readonly story: JobStory;
  readonly moment: JobMoment;
}

type Action = Exclude<
  InterventionInput["kind"],
  "policy" | "inject" | "retier" | "drain" | "resume" | "fail" | "update" | "reserve" | "unreserve"
>;

interface Verb {
  readonly word: string;
  readonly kind: Action;
  readonly more?: { readonly hold: boolean };
  /** Why it cannot be done now; null = it can. */
  readonly off: string | null;
}

export function SlurmActions(props: SlurmActionsProps) {
  const { stage, jobIdx, moment } = props;
  const job = nameOf(stage.jobs.ids, jobIdx);
  const calendar = useApp((state) => state.scenario?.calendarStart);
  const act = ({ kind, more, word }: Verb) => {
    const { cursorMs } = useApp.getState();
    const at = kind === "cancel" ? ` at ${clockText(cursorMs, calendar)}` : "";
    run("intervene", { intervention: { kind, job, ...more }, label: `${word} ${job}${at}` });
  };
  if (moment.kind === "done") return null;
  return (
    <fieldset className="job-actions slurm-actions" aria-label="Change this job at the cursor">
      <span className="part-note">scontrol, from the cursor on</span>
      {verbsOf(props).map((verb) => (
        <Button
          key={verb.word}
          label={`${verb.word} ${job}`}
          disabledReason={verb.off}
          onClick={() => act(verb)}
        >
          {verb.word}
        </Button>
      ))}
      <UpdateLine {...props} job={job} />
    </fieldset>
  );
}

/** Which verb does something at this moment. */
function verbsOf({ story, moment, atMs }: SlurmActionsProps): readonly Verb[] {
  const early = moment.kind === "unsubmitted" ? "it is not submitted yet" : null;
  const over = moment.kind === "done" ? "it has ended by then" : null;
  const none = early ?? over;
  const waits = moment.kind === "waiting";
  const reason = waits ? (slurmReasonOf(reasonAt(story, atMs)) ?? "") : "";
  const held = /^(JobHeld|job requeued in held state)/i.test(reason);
  const suspended =
    moment.kind === "running" &&
    holdingsAt(story, atMs).some((one) => MEMBER_STATES[one.memberState] === "suspended");
  const pending = none ?? (waits ? null : "it runs");
  const running = none ?? (moment.kind === "running" ? null : "it does not run");
  return [
    { word: "hold", kind: "hold", off: pending ?? (held ? "it is held" : null) },
    { word: "release", kind: "release", off: pending ?? (held ? null : "it is not held") },
    { word: "top", kind: "top", off: pending },
    { word: "requeue", kind: "requeue", off: running },
    { word: "requeuehold", kind: "requeue", more: { hold: true }, off: running },
    { word: "suspend", kind: "suspend", off: running ?? (suspended ? "it is suspended" : null) },
    { word: "resume", kind: "unsuspend", off: suspended ? null : (none ?? "it is not suspended") },
    { word: "scancel", kind: "cancel", off: none },
  ];
}

function UpdateLine({
  stage,
  jobIdx,
  atMs,
  moment,
  job,
}: SlurmActionsProps & { readonly job: string }) {
  const scenario = useApp((state) => state.scenario);
  const nodes = useMemo(() => new Set(stage.cluster.nodeNames), [stage]);
  const [line, setLine] = useState("");
  const hint = useId();
  if (!scenario || moment.kind === "done" || moment.kind === "unsubmitted") return null;
  const read = updateOf(line, job, {
    nowMs: Math.round(atMs),
    calendar: scenario.calendarStart,
    tiers: scenario.tiers.map((tier) => tier.id),
    nodes,
    limitMs: limitAt(scenario, job, stage.jobs.at.limitMs[jobIdx]!, atMs),
    hostsError,
  });
  const empty = line.trim() === "";
  const apply = () => {
    if (empty || !read.ok) return;
    run("intervene", { intervention: read.value, label: `update ${job} ${line.trim()}` });
    setLine("");
  };
  return (
    <form
      className="slurm-update"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Field label={`scontrol update jobid=${job}`} error={empty || read.ok ? null : read.error}>
        {(control) => (
          <input
            {...control}
            className="input"
            value={line}
            spellCheck={false}
            placeholder="TimeLimit=6:00:00 Nice=100"
            onChange={(event) => setLine(event.target.value)}
          />
        )}
      </Field>
      <button
        type="submit"
        className="button button-outline"
        aria-disabled={empty || !read.ok || undefined}
        aria-describedby={hint}
      >
        Update
      </button>
      <span id={hint} className="sr-only">
        Acts at the cursor
      </span>
    </form>
  );
}
