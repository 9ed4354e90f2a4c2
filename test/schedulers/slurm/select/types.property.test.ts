import fc from "fast-check";
import { expect, it } from "vitest";
import { Grant } from "../../../../src/engine/grant.ts";
import { defaultNode, defaultPartition } from "../../../../src/model/slurm/defaults.ts";
import { NO_REQUEST, type SlurmRequest } from "../../../../src/model/slurm/request.ts";
import { Choice } from "../../../../src/schedulers/slurm/select/choice.ts";
import { fillGrant } from "../../../../src/schedulers/slurm/select/grant.ts";
import { layNodes } from "../../../../src/schedulers/slurm/select/nodes.ts";
import { selectOptions } from "../../../../src/schedulers/slurm/select/options.ts";
import {
  copyResources,
  freeResources,
  giveChoice,
  loadResources,
  onlyUser,
  takeChoice,
} from "../../../../src/schedulers/slurm/select/resources.ts";
import { selectNodes } from "../../../../src/schedulers/slurm/select/select.ts";
import { wantedOf } from "../../../../src/schedulers/slurm/select/wanted.ts";
import { membersOf, nodeName } from "./draw.ts";
import { defaultConfig } from "./partsOfNodes.ts";
import { poolViewOf } from "./pool.ts";

const NODES = 3;
const TYPES = ["a100", "v100", ""];

const requests: SlurmRequest[] = TYPES.flatMap((gpuType) =>
  [1, 2, 5].map((gpusPerNode) => ({
    ...NO_REQUEST,
    minNodes: 1,
    maxNodes: 1,
    gpusPerNode,
    gpuType,
  })),
);

it("GPUs of two types: books by type and devices agree through any coming and going", () => {
  const line = (index: number) => ({
    ...defaultNode(nodeName(index)),
    cpus: 64,
    gres: [
      { name: "gpu", type: "a100", count: 4 },
      { name: "gpu", type: "v100", count: 4 },
    ],
  });
  const steps = fc.array(fc.nat({ max: 999 }), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (list) => {
      const config = {
        ...defaultConfig(),
        nodes: Array.from({ length: NODES }, (_, i) => line(i)),
      };
      const cluster = config.nodes.map(({ name }) => ({ name, gpus: 8, cpus: 64, memMiB: 0 }));
      const pool = poolViewOf({ nodes: cluster }, requests.map(membersOf), requests);
      const nodes = layNodes(pool.view, config);
      const partition = defaultPartition("p");
      const free = freeResources(nodes);
      const start = copyResources(free);
      const held: { choice: Choice; node: string; devices: number[]; user: number }[] = [];
      const all = new Int32Array(nodes.words).fill(-1);
      for (const step of list) {
        const wanted = wantedOf(pool.view, config, nodes, partition, step % requests.length);
        const choice = new Choice();
        const options = selectOptions(config, partition);
        if (step % 3 === 0 || !selectNodes(nodes, wanted, all, free, options, choice)) {
          const [job] = held.splice(step % Math.max(1, held.length), 1);
          if (job === undefined) continue;
          giveChoice(free, nodes, job.choice, job.user);
          pool.release(job.node, job.devices);
          continue;
        }
        const grant = new Grant();
        expect(fillGrant(pool.view, nodes, wanted, choice, grant)).toBe(true);
        const devices = [];
        for (let row = 0; row < grant.length; row++)
          for (let i = 0; i < grant.count[row]!; i++) devices.push(grant.first[row]! + i);
        const node = nodeName(grant.node[0]!);
        if (wanted.gpuType >= 0)
          for (const device of devices) expect(device >> 2).toBe(wanted.gpuType);
        pool.hold(node, devices);
        takeChoice(free, nodes, choice, step % 2);
        held.push({ choice, node, devices, user: step % 2 });
      }
      for (let node = 0; node < NODES; node++) {
        expect(free.typeFree[node]! + free.typeFree[NODES + node]!).toBe(free.gpusFree[node]);
        const users = new Set(
          held.filter((job) => job.node === nodeName(node)).map((job) => job.user),
        );
        for (const user of [0, 1])
          expect(onlyUser(free, node, user)).toBe(
            users.size === 0 || (users.size === 1 && users.has(user)),
          );
      }
      const loaded = copyResources(start);
      loadResources(loaded, free);
      expect(loaded).toEqual(free);
      for (const job of held) giveChoice(free, nodes, job.choice, job.user);
      expect(free).toEqual(start);
    }),
    { numRuns: 500 },
  );
});
