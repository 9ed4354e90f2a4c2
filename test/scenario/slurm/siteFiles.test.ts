/** Configurations of real sites beside the checkout: each is told apart, read, and becomes a scenario; notes are few. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readScenario } from "../../../src/scenario/read.ts";
import { detectSlurmFile } from "../../../src/scenario/slurm/detectFile.ts";
import { scenarioFromSlurm } from "../../../src/scenario/slurm/importCluster.ts";
import { filesOf } from "./files.ts";

const folder = new URL("../../../../shared/traces/slurm-conf/", import.meta.url);
const sites = existsSync(folder)
  ? readdirSync(folder).filter((site) => existsSync(new URL(`${site}/slurm.conf`, folder)))
  : [];
if (sites.length === 0)
  console.warn("The folder with configurations of sites is absent: they are not read.");

const KIND_OF: Readonly<Record<string, ReturnType<typeof detectSlurmFile>>> = {
  "slurm.conf": "conf",
  "gres.conf": "gres",
  "topology.conf": "topology",
  "sacctmgr.script": "accounting",
};

describe("configurations of sites", () => {
  test.each(sites.length > 0 ? sites : ["none beside the checkout"])("%s", (site) => {
    if (sites.length === 0) return;
    const files: Record<string, string> = {};
    for (const name of readdirSync(new URL(`${site}/`, folder))) {
      const text = readFileSync(new URL(`${site}/${name}`, folder), "utf8");
      const kind = detectSlurmFile(text);
      expect(kind, name).toBe(KIND_OF[name]);
      if (kind !== null) files[kind] = text;
    }
    const result = scenarioFromSlurm(filesOf(files));
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    const { scenario, notes } = result.value;
    const document = {
      ...scenario,
      workload: { jobs: [{ id: "j", submitMs: 0, workMs: 1, nodes: 1 }] },
    };
    expect(readScenario(document)).toMatchObject({ ok: true });
    const lines = (files.conf!.match(/^\s*NodeName/gm) ?? []).length;
    const nodes = scenario.cluster.nodeGroups.reduce((sum, group) => sum + group.count, 0);
    expect(nodes).toBeGreaterThanOrEqual(lines - 3);
    expect(scenario.queues.length).toBe(
      (files.conf!.match(/^\s*PartitionName\s*=\s*(?!DEFAULT)/gm) ?? []).length,
    );
    expect(notes.filter((note) => note.kind !== "ignored").length).toBeLessThan(12);
  });
});
