/** The fields of a `PartitionName` line; most go through the catalogue, some have forms of their own. */
import type { SlurmPartition } from "../../model/slurm/config.ts";
import { readJobDefaults } from "./globals.ts";
import type { ConfLine, ConfPair } from "./lex.ts";
import { keyOf } from "./lex.ts";
import type { ParameterScope } from "./parameterKinds.ts";
import { parameterValue, setField } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import { PREEMPT_MODE_HELP, preemptWords } from "./preemptMode.ts";
import type { Draft, Report } from "./report.ts";
import { isEndless, nameList, wholeNumber } from "./values.ts";

const FILE = "slurm.conf";

/** Sets one field of a partition, or says what is wrong with it. `Nodes` is resolved later. */
export function readPartitionField(
  pair: ConfPair,
  partition: Draft<SlurmPartition>,
  line: ConfLine,
  report: Report,
): void {
  const wrong = (help: string): void => {
    report.problem(FILE, line.line, pair.key, `"${pair.value}" is no value of ${pair.key}.`, help);
  };
  switch (keyOf(pair.key)) {
    case "nodes":
      return;
    case "allowaccounts":
      partition.allowAccounts = allowed(pair.value);
      return;
    case "allowqos":
      partition.allowQos = allowed(pair.value);
      return;
    case "qos":
      partition.qos = pair.value === "" || keyOf(pair.value) === "n/a" ? null : pair.value;
      return;
    case "priority": {
      // Older spelling for both priorities of a partition.
      const read = wholeNumber(pair.value, 0, 65_533);
      if (!read.ok) wrong(read.error);
      else Object.assign(partition, { priorityTier: read.value, priorityJobFactor: read.value });
      return;
    }
    case "oversubscribe":
    case "shared":
      readOverSubscribe(pair.value, partition, wrong);
      return;
    case "defmempercpu":
    case "defmempernode":
      if (isEndless(pair.value)) return;
      break;
    case "preemptmode": {
      const words = preemptWords(pair.value);
      if (words === null) wrong(PREEMPT_MODE_HELP);
      else partition.preemptMode = words.mode;
      return;
    }
    case "jobdefaults": {
      const help = readJobDefaults(pair.value, partition);
      if (help !== null) wrong(help);
      return;
    }
    default:
      break;
  }
  setByCatalogue("partition", pair, partition, line, report);
}

function allowed(text: string): readonly string[] | null {
  return text === "" || keyOf(text) === "all" ? null : nameList(text);
}

const USUAL_SHARING = 4;

function readOverSubscribe(
  text: string,
  partition: Draft<SlurmPartition>,
  wrong: (help: string) => void,
): void {
  const [word = "", count] = text.toLowerCase().split(":");
  const most = count === undefined ? USUAL_SHARING : Number(count);
  const known = word === "no" || word === "exclusive" || word === "yes" || word === "force";
  if (!known || !Number.isInteger(most) || most < 1 || most > 32_767) {
    wrong(
      "Use NO, EXCLUSIVE, YES or FORCE, the last two with a number of jobs where wanted (FORCE:4).",
    );
    return;
  }
  partition.overSubscribe = word;
  partition.overSubscribeMost = word === "yes" || word === "force" ? most : 1;
}

/** Sets what a pair says in the record of its scope, or notes that it is not heeded. */
export function setByCatalogue(
  scope: ParameterScope,
  pair: ConfPair,
  target: object,
  line: ConfLine,
  report: Report,
): void {
  const parameter = parameterNamed(scope, pair.key);
  if (parameter === undefined) {
    report.note(FILE, line.line, pair.key, "notModelled", `${pair.key} is not known here.`);
    return;
  }
  if (parameter.standing !== "modelled") {
    report.note(FILE, line.line, pair.key, parameter.standing, parameter.sentence);
  }
  if (parameter.fields.length === 0 || pair.value === "") return;
  const read = parameterValue(parameter.kind, pair.value);
  if (!read.ok)
    report.problem(
      FILE,
      line.line,
      pair.key,
      `"${pair.value}" is no value of ${pair.key}.`,
      read.error,
    );
  else for (const field of parameter.fields) setField(target, field, read.value);
}
