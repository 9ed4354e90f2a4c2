import { describe, expect, it } from "vitest";
import { Grant } from "../../../../src/engine/grant.ts";
import type { SlurmNode } from "../../../../src/model/slurm/config.ts";
import { defaultNode, defaultPartition } from "../../../../src/model/slurm/defaults.ts";
import { Choice } from "../../../../src/schedulers/slurm/select/choice.ts";
import { fillGrant } from "../../../../src/schedulers/slurm/select/grant.ts";
import { layNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { selectOptions } from "../../../../src/schedulers/slurm/select/options.ts";
import { freeResources } from "../../../../src/schedulers/slurm/select/resources.ts";
import { selectNodes } from "../../../../src/schedulers/slurm/select/select.ts";
import { wantedOf } from "../../../../src/schedulers/slurm/select/wanted.ts";
import { CPUS, choose, nodeName, type Setting } from "./draw.ts";
import { defaultConfig } from "./partsOfNodes.ts";
import { poolViewOf } from "./pool.ts";

/** Rows as `node:first+count members cpus`, joined by bars. */
function grantOf(map: string, setting: Setting): string {
  const drawn = choose(map, setting);
  const grant = new Grant();
  if (!drawn.fits || !fillGrant(drawn.pool.view, drawn.nodes, drawn.wanted, drawn.choice, grant))
    return "waits";
  return rowsOf(grant);
}

function rowsOf(grant: Grant): string {
  const rows = [];
  for (let row = 0; row < grant.length; row++) {
    const cpus = grant.cpuMilli[row]! / 1_000;
    const devices = `${nodeName(grant.node[row]!)}:${grant.first[row]}+${grant.count[row]}`;
    rows.push(`${devices} m${grant.members[row]} c${cpus}`);
  }
  return rows.join(" | ");
}

describe("a grant", () => {
  it("names the lowest free GPUs of each node; one CPU a node where no more is asked for", () => {
    expect(grantOf("53", { request: { minNodes: 2, maxNodes: 2, gpusPerNode: 2 } })).toBe(
      "n1:3+2 m1 c1 | n2:5+2 m1 c1",
    );
  });

  it("gives an exclusive job all devices and CPUs of its nodes", () => {
    const request = { minNodes: 1, maxNodes: 1, gpusPerNode: 2, exclusive: "node" as const };
    expect(grantOf("58", { request })).toBe(`n2:0+8 m1 c${CPUS}`);
  });

  it("spreads members of one GPU, and tasks of several, as they were chosen", () => {
    expect(grantOf("68", { request: { gpus: 10 } })).toBe("n1:2+6 m6 c1 | n2:0+4 m4 c1");
    expect(grantOf("68", { request: { ntasks: 6, gpusPerTask: 2 } })).toBe(
      "n1:2+4 m2 c2 | n2:0+8 m4 c4",
    );
  });

  it("carries tasks without GPUs as members without devices", () => {
    expect(grantOf("88", { request: { ntasks: 3, cpusPerTask: 2 } })).toBe("n1:-1+0 m3 c6");
  });

  it("skips devices that are held in between", () => {
    const drawn = choose("88", { request: { minNodes: 1, maxNodes: 1, gpusPerNode: 3 } });
    drawn.pool.hold("n1", [1]);
    const grant = new Grant();
    fillGrant(drawn.pool.view, drawn.nodes, drawn.wanted, drawn.choice, grant);
    expect(rowsOf(grant)).toBe("n1:0+1 m1 c1 | n1:2+2 m0 c0");
  });

  it("takes GPUs of the type asked for from that type's devices, of any type from the lowest", () => {
    const line: SlurmNode = {
      ...defaultNode("n1"),
      cpus: CPUS,
      gres: [
        { name: "gpu", type: "a100", count: 4 },
        { name: "gpu", type: "v100", count: 4 },
      ],
    };
    const config = { nodes: [line] };
    const asks = (gpusPerNode: number, gpuType: string) =>
      grantOf("8", { config, request: { minNodes: 1, maxNodes: 1, gpusPerNode, gpuType } });
    expect(asks(2, "V100")).toBe("n1:4+2 m1 c1");
    expect(asks(5, "v100")).toBe("waits");
    expect(asks(5, "")).toBe("n1:0+5 m1 c1");
    expect(asks(1, "h100")).toBe("waits");
  });

  it("gives processors of a flat machine as runs, one member each", () => {
    const pool = poolViewOf({ nodes: [{ name: "m", gpus: 16, cpus: 0, memMiB: 0 }], flat: true }, [
      { members: 5, gpus: 1, ownNode: false },
    ]);
    const config = defaultConfig();
    const nodes = layNodes(pool.view, config);
    const partition = defaultPartition("p");
    const wanted = wantedOf(pool.view, config, nodes, partition, 0);
    const choice = new Choice();
    const candidates = Int32Array.of(0b0110_0111_0000_0110);
    const options = selectOptions(config, partition);
    expect(selectNodes(nodes, wanted, candidates, freeResources(nodes), options, choice)).toBe(
      true,
    );
    const grant = new Grant();
    fillGrant(pool.view, nodes, wanted, choice, grant);
    expect(rowsOf(grant)).toBe("n1:1+2 m2 c0 | n1:8+3 m3 c0");
  });
});

describe("a request without options", () => {
  it("asks for what its components say", () => {
    const cluster = { nodes: [{ name: "n1", gpus: 8, cpus: 64, memMiB: 0 }] };
    const pool = poolViewOf(cluster, [
      { members: 2, gpus: 8, ownNode: true, cpus: 16 },
      { members: 6, gpus: 1, ownNode: false },
      { members: 4, gpus: 0, ownNode: false, cpus: 2 },
    ]);
    const config = defaultConfig();
    const nodes = layNodes(pool.view, config);
    const of = (jobIdx: number) =>
      wantedOf(pool.view, config, nodes, defaultPartition("p"), jobIdx);
    expect(of(0)).toMatchObject({ minNodes: 2, maxNodes: 2, gpusPerNode: 8, cpusPerTask: 16 });
    expect(of(1)).toMatchObject({ minNodes: 1, ntasks: 6, gpusPerTask: 1, gpus: 6 });
    expect(of(2)).toMatchObject({ ntasks: 4, cpusPerTask: 2, gpus: 0, minCpus: 8 });
    expect(of(0)).toBe(of(0));
  });
});
