/**
 * Reads the configuration of a policy: slurm.conf, gres.conf, topology.conf and the accounting commands become one
 * `SlurmConfig` with every default of Slurm 22.05 filled in. What is not heeded becomes a note, what is plainly wrong a problem;
 * one bad line hides no other.
 */
import type { Problem } from "../../base/problem.ts";
import type { Result } from "../../base/result.ts";
import { err, ok } from "../../base/result.ts";
import type { SlurmConfig, SlurmSwitch } from "../../model/slurm/config.ts";
import { defaultConfig } from "../../model/slurm/defaults.ts";
import { readAccounting } from "./accounting.ts";
import { noClusterLines, readClusterLine, resolvePartitions } from "./clusterLines.ts";
import { valueIn } from "./editText.ts";
import type { ClusterWide } from "./globals.ts";
import { fillDerived, readGlobal } from "./globals.ts";
import { applyGresConf } from "./gres.ts";
import type { ConfPair } from "./lex.ts";
import { confLines, keyOf, lineWith } from "./lex.ts";
import { parameterNamed } from "./parameters.ts";
import type { ConfigNote, Draft, SlurmFiles } from "./report.ts";
import { Report } from "./report.ts";
import { readTopology } from "./switches.ts";
import { nameList } from "./values.ts";

export interface ParsedSlurm {
  readonly config: SlurmConfig;
  readonly notes: readonly ConfigNote[];
  /** What topology.conf says, also where the scheduler does not look at it. */
  readonly switches: readonly SlurmSwitch[];
}

/**
 * The configuration that the texts say, times in milliseconds. `poolNodes`: names of nodes that exist beside those with a line
 * of their own. Never throws on bad input; host lists are bounded by the largest cluster. O(text + nodes × partitions).
 * Source: slurm.conf(5), gres.conf(5), topology.conf(5), sacctmgr(1).
 */
export function parseSlurm(
  files: SlurmFiles,
  poolNodes: readonly string[] = [],
): Result<ParsedSlurm, Problem[]> {
  const report = new Report();
  const config: Draft<SlurmConfig> = defaultConfig();
  const wide: ClusterWide = {
    defMemPerCpuMiB: 0,
    defMemPerNodeMiB: 0,
    defCpuPerGpu: 0,
    defMemPerGpuMiB: 0,
    disableRootJobs: false,
  };
  const given = new Set<string>();
  const globals = new Map<string, GlobalPair>();
  const cluster = noClusterLines();
  for (const line of confLines(files.conf)) {
    const first = line.pairs[0];
    if (line.rest !== "") {
      if (keyOf(line.rest).startsWith("include ")) {
        const sentence = "Other files are not read: put their lines here.";
        report.note("slurm.conf", line.line, "Include", "notModelled", sentence);
        continue;
      }
      const message = `"${line.rest.slice(0, 60)}" is no Key=Value.`;
      report.problem(
        "slurm.conf",
        line.line,
        "line",
        message,
        "Write Key=Value, or # before a comment.",
      );
    }
    if (first === undefined || readClusterLine(line, cluster, report)) continue;
    for (const pair of line.pairs) {
      const earlier = globals.get(keyOf(pair.key));
      if (earlier !== undefined) noteAgain(earlier, report);
      globals.set(keyOf(pair.key), { line: line.line, pair });
    }
  }
  for (const { line, pair } of globals.values()) {
    readGlobal({ config, wide, given, report, line, pair });
  }
  fillDerived(config, given);
  config.nodes = [...cluster.nodes.values()];
  config.partitions = resolvePartitions(cluster, poolNodes, wide, report);
  applyGresConf(files.gres, config.nodes, report);
  const names = [...cluster.nodes.keys(), ...poolNodes];
  const switches = readTopology(files.topology, names.length > 0 ? new Set(names) : null, report);
  config.switches = config.select.topologyTree ? switches : [];
  const accounting = readAccounting(files.accounting, report);
  config.qos = [...accounting.qos];
  config.associations = [...accounting.associations];
  noteUnknownNames(config, files.conf, report);
  const { problems, notes } = report;
  return problems.length > 0 ? err(problems) : ok({ config, notes, switches });
}

interface GlobalPair {
  readonly line: number;
  readonly pair: ConfPair;
}

/** As in Slurm the last line of a key holds. Hosts may have several lines. */
function noteAgain({ line, pair }: GlobalPair, report: Report): void {
  if (parameterNamed("global", pair.key)?.standing === "ignored") return;
  const sentence = `A later line says ${pair.key} again, and holds.`;
  report.note("slurm.conf", line, pair.key, "ignored", sentence);
}

/** Names that Slurm would want to be stated elsewhere: kinds of generic resources, and the QOS of partitions. */
function noteUnknownNames(config: SlurmConfig, conf: string, report: Report): void {
  const types = nameList(valueIn(conf, "GresTypes") ?? "").map(keyOf);
  const used = new Set(config.nodes.flatMap((node) => node.gres.map((gres) => gres.name)));
  for (const name of used) {
    if (types.includes(name)) continue;
    const sentence = `Slurm counts ${name} only with GresTypes=${name}; here it counts.`;
    report.note("slurm.conf", lineWith(conf, "Gres"), "GresTypes", "approximated", sentence);
  }
  const qos = new Set(config.qos.map((each) => keyOf(each.name)));
  const missing = new Set(
    config.partitions.flatMap((each) => (each.qos === null ? [] : [each.qos])),
  );
  for (const name of missing) {
    if (qos.has(keyOf(name))) continue;
    const sentence = `A partition names the QOS ${name}, which no accounting command adds: it limits nothing.`;
    report.note("slurm.conf", lineWith(conf, "QOS", name), name, "approximated", sentence);
  }
}
