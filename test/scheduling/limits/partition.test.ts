import { describe, expect, it } from "vitest";
import type { SlurmPartition } from "../../../src/model/slurm/config.ts";
import { defaultPartition, defaultQos } from "../../../src/model/slurm/defaults.ts";
import { type PartitionJob, partitionReason } from "../../../src/scheduling/limits/partition.ts";
import { MINUTE } from "./limitWorld.ts";

const JOB: PartitionJob = { limitMs: 5 * MINUTE, minNodes: 2, maxNodes: 2, timeMinMs: 0 };

function word(partition: Partial<SlurmPartition>, job: Partial<PartitionJob> = {}): string | null {
  const full = { ...defaultPartition("main"), ...partition };
  return partitionReason(full, 4, { ...JOB, ...job }, null);
}

describe("a partition", () => {
  it("holds up jobs beyond its nodes and its time", () => {
    expect(word({})).toBeNull();
    expect(word({ maxTimeMs: 5 * MINUTE })).toBeNull();
    expect(word({ maxTimeMs: 4 * MINUTE })).toBe("PartitionTimeLimit");
    expect(word({ maxNodes: 1 })).toBe("PartitionNodeLimit");
    expect(word({ minNodes: 3 })).toBe("PartitionNodeLimit");
    expect(word({ minNodes: 3 }, { maxNodes: 0 })).toBeNull();
    expect(word({}, { minNodes: 5, maxNodes: 5 })).toBe("PartitionNodeLimit");
  });

  it("names nodes before its state, and its state before time", () => {
    const small = { maxNodes: 1, maxTimeMs: MINUTE };
    expect(word({ ...small, state: "down" })).toBe("PartitionNodeLimit");
    expect(word({ maxTimeMs: MINUTE, state: "down" })).toBe("PartitionDown");
    expect(word({ state: "inactive" })).toBe("PartitionInactive");
    expect(word({ state: "drain" })).toBeNull();
  });

  it("yields to the flags of a QOS", () => {
    const small = { ...defaultPartition("main"), maxNodes: 1, maxTimeMs: MINUTE };
    const lifted = { ...defaultQos("q"), partitionMaxNodes: true, partitionTimeLimit: true };
    expect(partitionReason(small, 4, JOB, lifted)).toBeNull();
    const least = { ...defaultPartition("main"), minNodes: 3 };
    expect(partitionReason(least, 4, JOB, { ...lifted, partitionMinNodes: true })).toBeNull();
  });

  it("takes a job whose --time-min fits where the backfill scheduler asks", () => {
    const short = { ...defaultPartition("main"), maxTimeMs: 3 * MINUTE };
    const job = { ...JOB, timeMinMs: 2 * MINUTE };
    expect(partitionReason(short, 4, job, null, true)).toBeNull();
    expect(partitionReason(short, 4, job, null)).toBe("PartitionTimeLimit");
  });
});
