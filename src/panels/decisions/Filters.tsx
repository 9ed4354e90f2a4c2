/** What of the log is listed: kind, tier, reason, words, one job, the stretch in view. */

import { numberText } from "../../base/format.ts";
import { startWords, waitWords } from "../../model/sentences.ts";
import { stopWords } from "../../model/stopWords.ts";
import type { Stage } from "../../protocol/messages.ts";
import { useTiersWithJobs } from "../../store/tiersWithJobs.ts";
import {
  KIND_GROUP_NAMES,
  KIND_GROUPS,
  type KindGroup,
  type Picked,
} from "../../timeline/decisionFilter.ts";
import type { LogReason, ReasonCount } from "../../timeline/decisionIndex.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";

interface FiltersProps {
  readonly stage: Stage;
  readonly picked: Picked;
  readonly reasons: readonly ReasonCount[];
  readonly onPick: (change: Partial<Picked>) => void;
  readonly ofJob: boolean;
  readonly onOfJob: (value: boolean) => void;
  readonly hasJob: boolean;
  readonly inView: boolean;
  readonly onInView: (value: boolean) => void;
}

const ANY = "any";
const GROUPS = Object.keys(KIND_GROUPS) as KindGroup[];

export function Filters(props: FiltersProps) {
  const { stage, picked, reasons, onPick } = props;
  const tiers = useTiersWithJobs(stage);
  return (
    <div className="decisions-filters">
      <Select
        label="Kind"
        bare
        className="input select decisions-select"
        value={picked.kinds ?? ANY}
        options={[
          { value: ANY, label: "all kinds" },
          ...GROUPS.map((group) => ({ value: group, label: KIND_GROUP_NAMES[group] })),
        ]}
        onChange={(value) =>
          onPick({ kinds: GROUPS.find((group) => group === value) ?? null, reason: null })
        }
      />
      {tiers.length > 1 && (
        <Select
          label="Tier"
          bare
          className="input select decisions-select"
          value={String(picked.tier)}
          options={[
            { value: "-1", label: "all tiers" },
            ...tiers.map(({ tier, index }) => ({ value: String(index), label: tier.name })),
          ]}
          onChange={(value) => onPick({ tier: Number(value) })}
        />
      )}
      <Select
        label="Reason"
        bare
        className="input select decisions-select decisions-reason"
        value={picked.reason ? keyOf(picked.reason) : ANY}
        options={reasonOptions(reasons, picked.reason)}
        onChange={(value) => onPick({ reason: reasonOf(value) })}
      />
      <input
        type="search"
        className="input decisions-search"
        aria-label="Jobs of the list: words of their names, or job: user: team: tier: node:"
        placeholder="job, user:, team:, node:"
        value={picked.search}
        onChange={(event) => onPick({ search: event.currentTarget.value })}
      />
      <Button
        label="Only what is in view"
        pressed={props.inView}
        onClick={() => props.onInView(!props.inView)}
      >
        in view
      </Button>
      <Button
        label="Only the selected job"
        pressed={props.ofJob}
        disabledReason={props.hasJob || props.ofJob ? null : "Select a job first"}
        onClick={() => props.onOfJob(!props.ofJob)}
      >
        this job
      </Button>
    </div>
  );
}

const keyOf = ({ family, code }: LogReason): string => `${family} ${code}`;

function reasonOf(value: string): LogReason | null {
  const [family, code] = value.split(" ");
  if (family !== "wait" && family !== "start" && family !== "stop") return null;
  return { family, code: Number(code) };
}

const WORDS: Readonly<Record<LogReason["family"], (code: number) => string>> = {
  wait: (code) => `waits: ${waitWords(code)}`,
  start: (code) =>
    startWords(code)
      .replace(/\.$/, "")
      .replace(/^./, (letter) => letter.toLowerCase()),
  stop: (code) => `stopped: ${stopWords(code)}`,
};

/** Reasons that occur, most frequent first; the picked one stays in the list. */
function reasonOptions(reasons: readonly ReasonCount[], picked: LogReason | null) {
  const options = reasons.map((reason) => ({
    value: keyOf(reason),
    label: `${WORDS[reason.family](reason.code)} (${numberText(reason.count)})`,
  }));
  if (picked && !options.some(({ value }) => value === keyOf(picked)))
    options.unshift({ value: keyOf(picked), label: WORDS[picked.family](picked.code) });
  return [{ value: ANY, label: "all reasons" }, ...options];
}
