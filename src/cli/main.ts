/**
 * The calls of the headless program. Standard output is machine-readable, messages go to standard error; exit status 0 done, 1 the
 * work failed or a check fell short, 2 the call was wrong.
 */
import { Command, CommanderError } from "commander";
import { compareCommand } from "./compareCommand.ts";
import { conformance } from "./conformance/conformance.ts";
import { factsCommand } from "./factsCommand.ts";
import { CliFailure, EXIT_FELL_SHORT, EXIT_WRONG_CALL, say, wrongCall } from "./fail.ts";
import { fileMessage } from "./files.ts";
import { durationMs, wholeNumber } from "./options.ts";
import { knownPolicies } from "./policyNames.ts";
import { addPresets } from "./presets.ts";
import { runCommand } from "./runCommand.ts";

addPresets();

const program = new Command("queuescope")
  .description(
    "Simulates GPU-cluster scheduling. Prints for machines; messages go to standard error.",
  )
  .exitOverride();

program
  .command("run")
  .description(
    "simulate a scenario file, a scenario link or a workload file and print metrics and digest",
  )
  .argument(
    "<input>",
    "scenario (.json), link (#s=…), library:ID, or job log of any supported format",
  )
  .option("--policy <name>", `policy of every pool: ${knownPolicies().join(", ")}`)
  .option(
    "--set <name=value>",
    "a setting of the policy, or a parameter of Slurm (bf_interval=60); may be given again",
    again,
    [],
  )
  .option("--nodes <n>", "nodes of the cluster")
  .option("--gpus-per-node <g>", "GPUs a node")
  .option("--procs <p>", "a flat machine of P processors, without placement rules")
  .option("--seed <s>", "seed of everything drawn")
  .option("--until <duration>", "stop there, for example 12h or 30d")
  .option("--no-kill", "jobs run past their time limit")
  .option("--trace <file>", "the trace that a scenario names")
  .option("--schedule <file>", "write job_id,submit,start,end,gpus, one row a run")
  .option("--check", "check the whole state after each instant (slow)", false)
  .option("--json", "print one JSON object", false)
  .action((input: string, given: Given) => {
    const { policy, schedule } = given as { policy?: string; schedule?: string };
    runCommand(input, {
      ...common(given),
      ...defined({ policy, schedule }),
      check: given.check === true,
    });
  });

program
  .command("compare")
  .description(
    "run one input under several policies and seeds: means with 95 % intervals, and differences to the first policy, seed by seed",
  )
  .argument("<input>", "as of run")
  .requiredOption(
    "--policy <name>",
    "a policy, with settings of its own as NAME:setting=value,setting=value; give two or more",
    again,
    [],
  )
  .option("--set <name=value>", "a setting of all policies; may be given again", again, [])
  .option("--replications <n>", "seeds: that of the scenario, and the ones after it", "10")
  .option("--nodes <n>", "nodes of the cluster")
  .option("--gpus-per-node <g>", "GPUs a node")
  .option("--procs <p>", "a flat machine of P processors, without placement rules")
  .option("--seed <s>", "the first seed")
  .option("--until <duration>", "stop there, for example 12h or 30d")
  .option("--no-kill", "jobs run past their time limit")
  .option("--trace <file>", "the trace that a scenario names")
  .option("--json", "print one JSON object", false)
  .action((input: string, given: Given) => {
    compareCommand(input, {
      ...common(given),
      policies: given.policy as readonly string[],
      replications: wholeNumber("--replications", String(given.replications), 1),
    });
  });

program
  .command("facts")
  .description("read a foreign file and print what was understood as one JSON object")
  .argument("<file>", "job log, packed or not")
  .option("--format <name>", "how to read it, instead of telling by its content")
  .action((file: string, given: { format?: string }) => factsCommand(file, given.format));

program
  .command("conformance")
  .description("run recorded truth: one line a case, the sum on the last")
  .argument("<path...>", "files or folders of recordings")
  .option("--verbose", "print what was recorded beside what came", false)
  .action((paths: string[], given: { verbose: boolean }) => {
    const print = (line: string) => process.stdout.write(`${line}\n`);
    const { failed } = conformance(paths, print, given.verbose);
    if (failed > 0) process.exitCode = EXIT_FELL_SHORT;
  });

program
  .command("sweep")
  .description("run a plan of many scenarios (comes later)")
  .argument("[plan]")
  .allowUnknownOption()
  .allowExcessArguments()
  .action(() => {
    throw wrongCall("sweep comes with a later version; run the scenarios one by one until then");
  });

type Given = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

/** Collects an option that may be given again. */
function again(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** What `run` and `compare` have in common. */
function common(given: Given) {
  const text = (name: string) => given[name] as string | undefined;
  const whole = (name: string, option: string, least: number) => {
    const value = text(name);
    return value === undefined ? undefined : wholeNumber(option, value, least);
  };
  const until = text("until");
  return defined({
    set: given["set"] as readonly string[],
    nodes: whole("nodes", "--nodes", 1),
    gpusPerNode: whole("gpusPerNode", "--gpus-per-node", 1),
    procs: whole("procs", "--procs", 1),
    seed: whole("seed", "--seed", 0),
    untilMs: until === undefined ? undefined : durationMs("--until", until),
    trace: text("trace"),
    kill: given["kill"] === true,
    json: given["json"] === true,
  });
}

/** Drops absent entries, so that an option that was not given is absent and not `undefined`. */
function defined<T extends object>(
  options: T,
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as never;
}

// A reader that has seen enough (`| head`) closes the pipe: that ends the call, and is no mistake of either side.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") say(`standard output: ${fileMessage(error)}`);
  process.exit(error.code === "EPIPE" ? 0 : EXIT_FELL_SHORT);
});

try {
  program.parse();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has written its message; asking for help or version is no mistake.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_WRONG_CALL;
  } else if (error instanceof CliFailure) {
    say(error.message);
    process.exitCode = error.status;
  } else {
    say(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exitCode = EXIT_FELL_SHORT;
  }
}
