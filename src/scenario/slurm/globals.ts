/**
 * The keys of slurm.conf that hold for the whole cluster, among them those that pack several settings into one value
 * (`SchedulerParameters`, `PriorityFlags`, `PreemptMode`, …). Each sets fields of the configuration through the catalogue.
 */
import type { SlurmConfig } from "../../model/slurm/config.ts";
import type { ConfPair } from "./lex.ts";
import { keyOf, named } from "./lex.ts";
import type { Parameter } from "./parameterKinds.ts";
import { parameterValue, setField } from "./parameterKinds.ts";
import { parameterNamed } from "./parameters.ts";
import { PREEMPT_MODE_HELP, preemptWords } from "./preemptMode.ts";
import type { Report } from "./report.ts";
import { memoryMiB, nameList, timeInMinutesMs, wholeNumber } from "./values.ts";

/** Defaults of partitions that slurm.conf states for the cluster. */
export interface ClusterWide {
  defMemPerCpuMiB: number;
  defMemPerNodeMiB: number;
  defCpuPerGpu: number;
  defMemPerGpuMiB: number;
  disableRootJobs: boolean;
}

/** One pair of slurm.conf, and what it is read into. */
export interface Context {
  readonly config: SlurmConfig;
  readonly wide: ClusterWide;
  /** Options of `SchedulerParameters` that were named. */
  readonly given: Set<string>;
  readonly report: Report;
  readonly line: number;
  readonly pair: ConfPair;
}

/** A special reader: sets what the value says, or gives the sentence that says what would be right. */
type Special = (context: Context) => string | null;

/** Reads one cluster-wide key into the configuration. */
export function readGlobal(context: Context): void {
  const { pair, report, line, config } = context;
  if (pair.value === "") return;
  const special = SPECIAL.get(keyOf(pair.key));
  const parameter = parameterNamed("global", pair.key);
  if (special === undefined && parameter === undefined) {
    report.note("slurm.conf", line, pair.key, "notModelled", `${pair.key} is not known here.`);
    return;
  }
  if (parameter !== undefined) noteStanding(parameter, context);
  if (special !== undefined) {
    const wrong = special(context);
    if (wrong !== null) report.problem("slurm.conf", line, pair.key, noValue(pair), wrong);
    return;
  }
  if (parameter === undefined || parameter.fields.length === 0) return;
  const read = parameterValue(parameter.kind, pair.value);
  if (!read.ok) report.problem("slurm.conf", line, pair.key, noValue(pair), read.error);
  else for (const field of parameter.fields) setField(config, field, read.value);
}

function noValue(pair: ConfPair): string {
  return `"${pair.value}" is no value of ${pair.key}.`;
}

/** Says what a parameter is to this program; nothing where the value is the default, which changes nothing. */
function noteStanding(parameter: Parameter, { report, line, pair }: Context): void {
  const { standing, sentence, differs } = parameter;
  if (standing === "modelled") return;
  if (standing === "approximated" && pair.value === parameter.standard) return;
  const about = differs === undefined ? sentence : `${sentence} Here ${differs}.`;
  report.note("slurm.conf", line, pair.key, standing, about);
}

const SPECIAL: ReadonlyMap<string, Special> = named({
  schedulerparameters: readSchedulerParameters,
  selecttypeparameters: readSelectTypeParameters,
  topologyparam: readTopologyParam,
  accountingstorageenforce: readEnforce,
  authinfo: readAuthInfo,
  cryptoinfo: readAuthInfo,
  prioritycalcperiod: readCalcPeriod,
  priorityflags: readPriorityFlags,
  preemptmode: readPreemptMode,
  defmempercpu: wideNumber("defMemPerCpuMiB"),
  defmempernode: wideNumber("defMemPerNodeMiB"),
  disablerootjobs: ({ wide, pair }) => {
    const read = parameterValue({ is: "boolean" }, pair.value);
    if (!read.ok) return read.error;
    wide.disableRootJobs = read.value === true;
    return null;
  },
  jobdefaults: ({ wide, pair }) => readJobDefaults(pair.value, wide),
});

function wideNumber(field: "defMemPerCpuMiB" | "defMemPerNodeMiB"): Special {
  return ({ wide, pair }) => {
    const read = memoryMiB(pair.value);
    if (!read.ok) return read.error;
    wide[field] = read.value;
    return null;
  };
}

/** `DefCpuPerGPU=4,DefMemPerGPU=8000`, of the cluster or of a partition. */
export function readJobDefaults(
  text: string,
  into: { defCpuPerGpu: number; defMemPerGpuMiB: number },
): string | null {
  for (const entry of nameList(text)) {
    const [key = "", value = ""] = entry.split("=");
    const read = wholeNumber(value, 0, 2 ** 53 - 1);
    if (!read.ok) return read.error;
    if (keyOf(key) === "defcpupergpu") into.defCpuPerGpu = read.value;
    else if (keyOf(key) === "defmempergpu") into.defMemPerGpuMiB = read.value;
    else return "Use DefCpuPerGPU=n and DefMemPerGPU=n.";
  }
  return null;
}

function readSchedulerParameters(context: Context): string | null {
  const { config, report, line, pair } = context;
  const named = new Set<string>();
  for (const option of nameList(pair.value)) {
    const at = option.indexOf("=");
    const name = at < 0 ? option : option.slice(0, at);
    // slurmctld searches the line from its beginning: of two, the first holds.
    if (named.has(keyOf(name))) continue;
    named.add(keyOf(name));
    const parameter = parameterNamed("scheduler", name);
    if (parameter === undefined) {
      report.note("slurm.conf", line, name, "notModelled", `The option ${name} is not known here.`);
      continue;
    }
    noteStanding(parameter, {
      ...context,
      pair: { ...pair, key: parameter.name, value: option.slice(at + 1) },
    });
    const isFlag = parameter.kind.is === "flag";
    // As in Slurm, a flag holds when it is named, whatever is written behind it.
    const text = isFlag ? "yes" : option.slice(at + 1);
    const read = parameterValue(parameter.kind, at < 0 && !isFlag ? "" : text);
    if (!read.ok)
      report.problem("slurm.conf", line, name, `"${option}" is no value of ${name}.`, read.error);
    else for (const field of parameter.fields) setField(config, field, read.value);
    context.given.add(parameter.name);
  }
  return null;
}

/** Words of `SelectTypeParameters` that do not matter here. */
const SELECT_HARMLESS = new Set([
  "cr_core_default_dist_block",
  "other_cons_res",
  "other_cons_tres",
]);

function readSelectTypeParameters({ config, pair, report, line }: Context): string | null {
  let unit: string | null = null;
  let memory = false;
  for (const option of nameList(pair.value)) {
    const word = keyOf(option);
    const match = /^cr_(cpu|core|socket)(_memory)?$/.exec(word);
    if (match !== null) {
      unit = match[1]!;
      memory ||= match[2] !== undefined;
    } else if (word === "cr_memory") memory = true;
    else if (word === "cr_lln") setField(config, "select.lln", true);
    else if (word === "cr_pack_nodes") setField(config, "select.packNodes", true);
    else if (word === "cr_one_task_per_core") setField(config, "select.oneTaskPerCore", true);
    else if (SELECT_HARMLESS.has(word)) {
      report.note(
        "slurm.conf",
        line,
        option,
        "ignored",
        "It says how tasks are bound to cores of a node.",
      );
    } else if (word.startsWith("cr_") || /^[a-z_]+$/.test(word)) {
      report.note(
        "slurm.conf",
        line,
        option,
        "notModelled",
        `The option ${option} is not modelled.`,
      );
    } else return `"${option}" is no option of it.`;
  }
  if (unit !== null) setField(config, "select.unit", unit);
  if (unit !== null || memory) setField(config, "select.memory", memory);
  return null;
}

function readTopologyParam({ config, pair, report, line }: Context): string | null {
  for (const option of nameList(pair.value)) {
    if (keyOf(option) === "topooptional") setField(config, "select.topologyOptional", true);
    else
      report.note(
        "slurm.conf",
        line,
        option,
        "notModelled",
        `The option ${option} is not modelled.`,
      );
  }
  return null;
}

function readEnforce({ config, pair, report, line }: Context): string | null {
  const enforce = { associations: false, limits: false, qos: false, safe: false };
  for (const option of nameList(pair.value)) {
    const word = keyOf(option);
    if (word === "all")
      Object.assign(enforce, { associations: true, limits: true, qos: true, safe: true });
    else if (word === "associations" || word === "association") enforce.associations = true;
    else if (word === "limits" || word === "limit") enforce.limits = true;
    else if (word === "qos") enforce.qos = true;
    else if (word === "safe") Object.assign(enforce, { safe: true, limits: true });
    else if (word !== "none" && word !== "0") {
      report.note(
        "slurm.conf",
        line,
        option,
        "notModelled",
        `The option ${option} is not modelled.`,
      );
    }
  }
  enforce.associations ||= enforce.limits || enforce.qos;
  for (const [field, value] of Object.entries(enforce)) setField(config, `enforce.${field}`, value);
  return null;
}

function readAuthInfo({ config, pair, report, line }: Context): string | null {
  for (const option of nameList(pair.value)) {
    const [key = "", value = ""] = option.split("=");
    if (keyOf(key) !== "cred_expire") {
      report.note("slurm.conf", line, key, "ignored", "It does not bear on scheduling.");
      continue;
    }
    const read = wholeNumber(value, 5, 1_000_000_000);
    if (!read.ok) return read.error;
    setField(config, "life.credExpireMs", read.value * 1_000);
  }
  return null;
}

function readCalcPeriod({ config, pair }: Context): string | null {
  const read = timeInMinutesMs(pair.value);
  if (!read.ok) return read.error;
  if (read.value < 60_000 || read.value === Number.POSITIVE_INFINITY)
    return "Use 1 minute or more.";
  setField(config, "priority.calcPeriodMs", read.value);
  return null;
}

const FLAG_FIELDS = named<readonly [field: string, value: boolean]>({
  accrue_always: ["accrueAlways", true],
  calculate_running: ["calculateRunning", true],
  fair_tree: ["fairTree", true],
  no_fair_tree: ["fairTree", false],
  small_relative_to_time: ["smallRelativeToTime", true],
  max_tres: ["maxTres", true],
  no_normal_assoc: ["noNormalAssoc", true],
  no_normal_part: ["noNormalPart", true],
  no_normal_qos: ["noNormalQos", true],
  no_normal_tres: ["noNormalTres", true],
  incr_only: ["incrOnly", true],
});

function readPriorityFlags({ config, pair, report, line }: Context): string | null {
  for (const flag of nameList(pair.value)) {
    const known = FLAG_FIELDS.get(keyOf(flag));
    if (known !== undefined) setField(config.priority, known[0], known[1]);
    else if (keyOf(flag) === "no_normal_all") {
      for (const field of ["noNormalAssoc", "noNormalPart", "noNormalQos", "noNormalTres"]) {
        setField(config.priority, field, true);
      }
    } else
      report.note("slurm.conf", line, flag, "notModelled", `The flag ${flag} is not modelled.`);
  }
  return null;
}

function readPreemptMode({ config, pair }: Context): string | null {
  const words = preemptWords(pair.value);
  if (words === null) return PREEMPT_MODE_HELP;
  const { mode, gang, within } = words;
  setField(config, "preemption.mode", mode ?? (within ? "within" : "off"));
  setField(config, "preemption.gang", gang);
  setField(config, "preemption.within", within);
  return null;
}

/**
 * Fields whose default follows from another: `max_sched_time` is half of `MessageTimeout`, `bf_max_time` is `bf_interval`,
 * `bf_node_space_size` twice `bf_max_job_test` and one. To be called when all lines are read.
 */
export function fillDerived(config: SlurmConfig, given: ReadonlySet<string>): void {
  const { scheduler, life } = config;
  if (!given.has("max_sched_time")) {
    const halfSec = Math.max(1, Math.trunc(life.messageTimeoutMs / 2_000));
    setField(scheduler, "maxSchedTimeMs", halfSec * 1_000);
  }
  if (!given.has("bf_max_time")) setField(scheduler, "bfMaxTimeMs", scheduler.bfIntervalMs);
  if (!given.has("bf_node_space_size")) {
    setField(scheduler, "bfNodeSpaceSize", 2 * scheduler.bfMaxJobTest + 1);
  }
}
