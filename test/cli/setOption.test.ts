/** `--set` changes a setting of the policy, or one value in the text of Slurm's configuration. */
import { describe, expect, test } from "vitest";
import { withSettings } from "../../src/cli/setOption.ts";
import type { PolicyEntry } from "../../src/scenario/schema.ts";

const files = { conf: "", gres: "", topology: "", accounting: "" };

describe("with the policy lab", () => {
  const lab: PolicyEntry = { preset: "lab", settings: { depth: 5 } };

  test("settings take the form that they have", () => {
    expect(withSettings(lab, ["order=shortest", "gangTogether=false", "depth=7"]).settings).toEqual(
      {
        order: "shortest",
        gangTogether: false,
        depth: 7,
      },
    );
  });

  test("a name that it does not have is a wrong call", () => {
    expect(() => withSettings(lab, ["bf_interval=60"])).toThrow(/has no setting "bf_interval"/);
    expect(() => withSettings(lab, ["depth"])).toThrow(/NAME=VALUE/);
  });
});

describe("with Slurm", () => {
  const slurm: PolicyEntry = {
    preset: "slurm",
    settings: {},
    slurm: {
      ...files,
      conf: "# by hand\nSchedulerParameters=bf_interval=30,defer\nPartitionName=main Nodes=ALL\n",
    },
  };
  const confAfter = (...given: string[]): string => withSettings(slurm, given).slurm!.conf;

  test("an option of SchedulerParameters is changed where it stands", () => {
    expect(confAfter("bf_interval=60", "bf_continue=yes", "defer=no")).toContain(
      "# by hand\nSchedulerParameters=bf_interval=60,bf_continue\n",
    );
  });

  test("keys of the cluster and fields of a partition too, in the spelling of the manual", () => {
    expect(confAfter("priorityweightage=9", "partition.main.maxtime=60")).toBe(
      "# by hand\nSchedulerParameters=bf_interval=30,defer\nPartitionName=main Nodes=ALL MaxTime=60\nPriorityWeightAge=9\n",
    );
  });

  test("QOS and accounts are set by an accounting command", () => {
    expect(
      withSettings(slurm, ["qos.high.priority=10", "account.a.Fairshare=3"]).slurm!.accounting,
    ).toBe("modify qos high set priority=10\nmodify account a set fairshare=3\n");
  });

  test("an empty value takes it away; a setting of the preset is no text", () => {
    expect(confAfter("defer=")).toContain("SchedulerParameters=bf_interval=30\n");
    expect(withSettings(slurm, ["controllerStartMs=-5000"]).settings).toEqual({
      controllerStartMs: -5_000,
    });
  });

  test("what is not modelled is a wrong call", () => {
    for (const name of ["Licenses=a:1", "nonsense=1", "partition.x=1", "rack.1.x=2"]) {
      expect(() => withSettings(slurm, [name])).toThrow(/is not modelled/);
    }
  });
});
