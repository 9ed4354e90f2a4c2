/** Which file of a cluster a text is, by what is in it. */
import { describe, expect, test } from "vitest";
import { detectSlurmFile } from "../../../src/scenario/slurm/detectFile.ts";

describe("a text is told apart by its content", () => {
  test.each([
    [
      "conf",
      "# x\nClusterName=a\nSlurmctldHost=b\nNodeName=n[1-4] CPUs=4\nPartitionName=p Nodes=ALL\n",
    ],
    ["conf", "SchedulerParameters=bf_interval=1\n"],
    ["gres", "AutoDetect=nvml\n"],
    ["gres", "NodeName=n[1-4] Name=gpu Type=a100 File=/dev/nvidia[0-7]\n"],
    ["topology", "# leaf\nSwitchName=l1 Nodes=n[1-4]\nSwitchName=top Switches=l1\n"],
    ["accounting", "sacctmgr -i add account a\nadd user u account=a\n"],
    [
      "accounting",
      "# dump\nCluster - 'c':Fairshare=1\nParent - 'root'\nAccount - 'a':Fairshare=1\n",
    ],
  ] as const)("%s", (kind, text) => {
    expect(detectSlurmFile(text)).toBe(kind);
  });

  test.each([
    ["nothing", ""],
    ["a scenario", '{"version":1,"title":"a=b"}'],
    ["SWF", "; MaxProcs: 4\n1 0 0 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n"],
    ["CSV", "job_id,submission_time,duration,num_gpu\n1,2020-01-01,5,1\n"],
    ["sacct", "JobID|Submit|Start|End|State\n1|2020|2020|2020|COMPLETED\n"],
    ["prose", "This file adds account data.\nIt is = nothing.\n"],
    ["settings of another program", "[core]\neditor=vi\npager=less\n"],
    ["bytes", "\u0000\u0001NodeName=a"],
  ])("%s is none of them", (_, text) => {
    expect(detectSlurmFile(text)).toBeNull();
  });
});
