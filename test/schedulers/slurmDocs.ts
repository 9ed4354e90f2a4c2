/**
 * The schedules drawn in `docs/policies/slurm.md`: a fenced block `slurm` with three parts, divided by lines `---`. First lines of slurm.conf
 * and `sacctmgr` that differ from the standard below; then jobs and commands; then the drawing, one row for devices that do the same, one
 * column a second (or `unit=10` seconds).
 *
 *     0 A alice 10s -N2 --gpus-per-node=8 -t5    at 0 s alice submits job A, which works for 10 s
 *     4 scontrol hold @A                         a command
 *
 * A job is drawn by the first letter of its name, in lower case while it is suspended. The drawings are run by the reader of recordings, so
 * a block means what a recording means.
 */
import { type Recording, readRecording } from "../../src/cli/conformance/slurmTruthFile.ts";
import { type OurOutcome, runRecording } from "../../src/cli/conformance/slurmTruthRun.ts";
import { scenarioOf } from "../../src/cli/conformance/slurmTruthScenario.ts";

export interface DrawnRun {
  readonly title: string;
  readonly unitSec: number;
  readonly conf: readonly string[];
  readonly events: readonly string[];
  readonly drawing: string;
}

/** Four nodes of eight GPUs under a prompt scheduler: lines with the same first word in a block take the place of these. */
const STANDARD_CONF: readonly string[] = [
  "AuthInfo=cred_expire=5",
  "GresTypes=gpu",
  "AccountingStorageTRES=gres/gpu",
  "SelectType=select/cons_tres",
  "SelectTypeParameters=CR_CPU",
  "SchedulerType=sched/backfill",
  "SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue,sched_interval=1,sched_min_interval=0,batch_sched_delay=0",
  "PriorityType=priority/basic",
  "KillWait=2",
  "MessageTimeout=30",
  "AccountingStorageEnforce=associations,limits,qos",
  "NodeName=n[1-4] CPUs=64 SocketsPerBoard=2 CoresPerSocket=32 Gres=gpu:8",
  "PartitionName=main Nodes=ALL Default=YES DefaultTime=10",
];
const STANDARD_ACCOUNTING = ["add account acct", "add user alice,bob,carol,dave account=acct"];

export function drawnRunsIn(markdown: string): DrawnRun[] {
  const blocks = markdown.matchAll(/([^\n]*)\n+```slurm([^\n]*)\n([\s\S]*?)\n```/g);
  return [...blocks].map(([, title, words, body]) => {
    const [conf = "", events = "", drawing = ""] = `\n${body}\n`.split(/\n---\n/);
    return {
      title: title!.trim(),
      unitSec: Number(/unit=(\d+)/.exec(words!)?.[1] ?? 1),
      conf: linesOf(conf),
      events: linesOf(events),
      drawing: drawing.trimEnd(),
    };
  });
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

export function drawRun(run: DrawnRun): string {
  return drawing(outcomeOf(run), run.unitSec);
}

/** What happens in a block, for tests that look at more than the drawing. */
export function outcomeOf(run: DrawnRun): OurOutcome {
  const { scenario, questions } = scenarioOf(recordingOf(run));
  return runRecording(scenario, questions);
}

function recordingOf({ conf, events }: DrawnRun): Recording {
  const own = conf.filter((line) => !line.startsWith("sacctmgr "));
  const heads = new Set(own.map((line) => line.split("=")[0]));
  const more = own.flatMap((line) => (line.startsWith("+") ? [line.slice(1)] : []));
  const standard = STANDARD_CONF.filter((line) => !heads.has(line.split("=")[0])).map((line) =>
    more.reduce((text, extra) => added(text, extra), line),
  );
  const lines = [...standard, ...own.filter((line) => !line.startsWith("+"))];
  const of = (head: string) => lines.filter((line) => line.startsWith(`${head}=`));
  const isCommand = (line: string) =>
    /^\S+ (scontrol|scancel|sacctmgr|kill|start|setpriv) /.test(line);
  return readRecording({
    schema: "slurm-truth/1",
    scenario: "drawn",
    cluster: {},
    config: {
      slurmConf: lines.filter((line) => !/^(NodeName|PartitionName|SwitchName)=/.test(line)),
      nodes: of("NodeName"),
      partitions: of("PartitionName"),
      gresConf: null,
      topologyConf: of("SwitchName"),
      sacctmgr: [
        ...STANDARD_ACCOUNTING,
        ...conf.flatMap((line) => (line.startsWith("sacctmgr ") ? [line.slice(9)] : [])),
      ],
    },
    toleranceSec: 0,
    jobs: events.filter((line) => !isCommand(line)).map(jobOf),
    commands: events.filter(isCommand).map((line) => {
      const [atSec, ...words] = line.split(" ");
      return { atSec: Number(atSec), cmd: words.join(" ") };
    }),
    results: {},
    // Long enough for every drawing; columns end with the last run.
    commandOutput: { runA: [{ offsetSec: 600, kind: "end", what: "", output: "" }] },
    limitCheckPhaseSec: { runA: 24 },
  });
}

/** `+SchedulerParameters=x` adds to the list of the standard line. */
function added(line: string, extra: string): string {
  const [key, value] = [extra.slice(0, extra.indexOf("=")), extra.slice(extra.indexOf("=") + 1)];
  return line.startsWith(`${key}=`) ? `${line},${value}` : line;
}

const OPTIONS: Readonly<Record<string, string>> = {
  "-N": "nodes",
  "-n": "ntasks",
  "-c": "cpusPerTask",
  "-t": "timeLimitSec",
  "-q": "qos",
  "-p": "partition",
  "-A": "account",
  "-C": "features",
  "-d": "dependency",
  "-w": "nodelist",
  "-a": "array",
  "--gpus": "gpus",
  "--gpus-per-node": "gpusPerNode",
  "--gpus-per-task": "gpusPerTask",
  "--time-min": "timeMinSec",
  "--nice": "nice",
  "--begin": "begin",
  "--reservation": "reservation",
  "--exclusive": "exclusive",
  "--switches": "switches",
};
const MINUTES = new Set(["timeLimitSec", "timeMinSec"]);
const NUMBERS = new Set(["ntasks", "cpusPerTask", "gpus", "gpusPerNode", "gpusPerTask", "nice"]);

function jobOf(line: string): Record<string, unknown> {
  const [submitSec, id, user, work, ...words] = line.trim().split(/\s+/);
  const job: Record<string, unknown> = {
    id,
    user,
    submitSec: Number(submitSec),
    runtimeSec: Number(work!.replace(/s$/, "")),
  };
  for (const word of words) {
    if (word === "--no-requeue") job.requeue = false;
    else if (word === "-H") job.hold = true;
    else if (word === "--exclusive") job.exclusive = true;
    else if (word === "--fails") job.exit = 1;
    else {
      const [, option, value] =
        /^(--[a-z-]+)=(.+)$/.exec(word) ?? /^(-[a-zA-Z])(.+)$/.exec(word) ?? [];
      const field = OPTIONS[option ?? ""];
      if (field === undefined) throw new Error(`the option ${word} is not known here`);
      if (MINUTES.has(field)) job[field] = Number(value) * 60;
      else job[field] = NUMBERS.has(field) ? Number(value) : value;
    }
  }
  return job;
}

/** Neighbouring devices of a node that do the same share a row. */
function drawing({ world, jobs }: OurOutcome, unitSec: number): string {
  const { cluster } = world;
  const unitMs = unitSec * 1_000;
  const runs = [...jobs.values()].flatMap((job) => job.runs.map((run) => ({ job, run })));
  const lastMs = Math.max(0, ...runs.map(({ run }) => run.endMs).filter(Number.isFinite));
  const columns = Math.ceil(lastMs / unitMs);
  const rows = cluster.nodeNames.flatMap((node, nodeIdx) => {
    const devices = cluster.deviceBase[nodeIdx + 1]! - cluster.deviceBase[nodeIdx]!;
    const texts = Array.from({ length: devices }, (_, device) => {
      const cells = Array.from({ length: columns }, (_, column) => {
        const atMs = column * unitMs + unitMs / 2;
        const here = runs.find(
          ({ run }) =>
            run.startMs <= atMs && atMs < run.endMs && run.gpuIdx.get(node)?.includes(device),
        );
        if (here === undefined) return ".";
        const asleep = here.run.suspensions.some(([from, to]) => from <= atMs && atMs < to);
        return asleep ? here.job.id[0]!.toLowerCase() : here.job.id[0]!;
      });
      return cells.join("");
    });
    return mergedRows(node, texts);
  });
  const wide = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `${name.padEnd(wide)} ${text}`).join("\n");
}

function mergedRows(node: string, texts: readonly string[]): [string, string][] {
  const rows: [string, string][] = [];
  for (let first = 0; first < texts.length; ) {
    let after = first + 1;
    while (after < texts.length && texts[after] === texts[first]) after++;
    const whole = first === 0 && after === texts.length;
    const range = after - first === 1 ? `${first}` : `${first}-${after - 1}`;
    rows.push([whole ? node : `${node}:${range}`, texts[first]!]);
    first = after;
  }
  return rows;
}
