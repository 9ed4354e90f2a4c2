/** The machines that benches of schedulers run on: one of processors, and nodes of eight GPUs. */
export interface Machine {
  readonly name: string;
  readonly cluster: object;
  readonly devices: number;
  readonly largest: number;
}

export const flat: Machine = {
  name: "flat 256",
  devices: 256,
  largest: 256,
  cluster: { flat: true, nodeGroups: [{ id: "machine", count: 1, gpus: 256 }] },
};

export const nodes = (count: number): Machine => ({
  name: `${count} × 8`,
  devices: count * 8,
  largest: count * 4,
  cluster: {
    nodeGroups: [{ id: "gpu", count, gpus: 8 }],
    fabric: { nodesPerLeaf: Math.min(8, count) },
  },
});
