/** A form edits the texts: what it shows is what they say, what it sets is what is read, and comments stay. */
import { describe, expect, test } from "vitest";
import { parameterChanges } from "../../../src/scenario/slurm/changes.ts";
import { withoutAccountingValue } from "../../../src/scenario/slurm/editAccounting.ts";
import type { SettingOwner } from "../../../src/scenario/slurm/editSetting.ts";
import { withSetting } from "../../../src/scenario/slurm/editSetting.ts";
import { keyOf } from "../../../src/scenario/slurm/lex.ts";
import {
  formParameters,
  groupOf,
  PARAMETER_GROUPS,
} from "../../../src/scenario/slurm/parameterGroups.ts";
import type { ParameterScope } from "../../../src/scenario/slurm/parameterKinds.ts";
import { parameterNamed } from "../../../src/scenario/slurm/parameters.ts";
import type { SlurmFiles } from "../../../src/scenario/slurm/report.ts";
import { setValues } from "../../../src/scenario/slurm/setValues.ts";
import { filesOf, parsed } from "./files.ts";

const FILES = filesOf({
  conf: [
    "# by hand",
    "SchedulerParameters=bf_interval=30,bf_continue",
    "NodeName=n[1-4] Procs=8 # eight",
    "PartitionName=DEFAULT MaxTime=60",
    "PartitionName=main Nodes=ALL Default=YES",
    "",
  ].join("\n"),
  accounting: [
    "add qos high,low",
    "modify qos high set priority=100 preempt=low # first",
    "modify qos set gracetime=5",
    "add account a fairshare=3",
    "",
  ].join("\n"),
});

function edit(
  files: SlurmFiles,
  owner: SettingOwner,
  scope: ParameterScope,
  name: string,
  value: string,
): SlurmFiles {
  const values = setValues(files);
  const lists = {
    partition: values.partitions,
    node: values.nodes,
    qos: values.qos,
    account: values.accounts,
    user: values.users,
  };
  const set =
    owner.kind === "cluster"
      ? (scope === "scheduler" ? values.scheduler : values.global).get(keyOf(name))
      : lists[owner.kind].find((each) => each.name === owner.name)?.values.get(keyOf(name));
  return withSetting(files, owner, parameterNamed(scope, name)!, set, value);
}

describe("what the texts set", () => {
  test("is found by the manual's name, with its line and as it is written", () => {
    const { scheduler, nodes, partitions } = setValues(FILES);
    expect(scheduler.get("bf_interval")).toMatchObject({ value: "30", line: 2 });
    expect(scheduler.get("bf_continue")?.value).toBe("yes");
    expect(nodes[0]?.values.get("cpus")).toEqual({
      name: "CPUs",
      written: "Procs",
      value: "8",
      line: 3,
    });
    expect(partitions.map((each) => each.name)).toEqual(["DEFAULT", "main"]);
  });

  test("of a partition with two lines is what the first sets", () => {
    const conf = `${FILES.conf}PartitionName=main Default=NO MaxTime=5\n`;
    const main = setValues({ ...FILES, conf }).partitions.find((each) => each.name === "main")!;
    expect(main.values.get("default")?.value).toBe("YES");
    expect(main.values.has("maxtime")).toBe(false);
  });

  test("of QOS and accounts is what all lines together set", () => {
    const { qos, accounts } = setValues({
      ...FILES,
      accounting: `${FILES.accounting}modify qos high set preempt+=normal\n`,
    });
    const high = qos.find((each) => each.name === "high")!;
    expect(high.values.get("preempt")?.value).toBe("low,normal");
    expect(high.values.get("gracetime")?.value).toBe("5");
    expect(accounts.map((each) => each.name)).toEqual(["a"]);
  });
});

describe("a setting of the form", () => {
  test("of the cluster is read back, under the spelling that stands there, and comments stay", () => {
    const changed = edit(FILES, { kind: "cluster" }, "scheduler", "bf_interval", "10");
    expect(changed.conf).toBe(FILES.conf.replace("bf_interval=30", "bf_interval=10"));
    const cpus = edit(FILES, { kind: "node", name: "n[1-4]" }, "node", "CPUs", "16");
    expect(cpus.conf).toBe(FILES.conf.replace("Procs=8", "Procs=16"));
  });

  test("of a QOS changes the line that is about it alone, and otherwise adds one", () => {
    const own = edit(FILES, { kind: "qos", name: "high" }, "qos", "Priority", "7");
    expect(own.accounting).toBe(FILES.accounting.replace("priority=100", "priority=7"));
    const grace = edit(FILES, { kind: "qos", name: "high" }, "qos", "GraceTime", "9");
    expect(grace.accounting).toBe(`${FILES.accounting}modify qos high set gracetime=9\n`);
    expect(parsed(grace).qos.map((qos) => [qos.name, qos.graceMs])).toContainEqual(["high", 9_000]);
  });

  test("of an account that a dump or an add line states is changed there", () => {
    const added = edit(FILES, { kind: "account", name: "a" }, "association", "Fairshare", "8");
    expect(added.accounting).toContain("add account a fairshare=8\n");
    const dump = filesOf({
      accounting: "Cluster - 'c'\nParent - 'root'\nAccount - 'a':Fairshare=3:MaxJobs=2\n",
    });
    const changed = edit(dump, { kind: "account", name: "a" }, "association", "Fairshare", "8");
    expect(changed.accounting).toContain("Account - 'a':Fairshare=8:MaxJobs=2\n");
    const { accounting } = edit(dump, { kind: "account", name: "a" }, "association", "MaxJobs", "");
    expect(accounting).toContain("Account - 'a':Fairshare=3\n");
  });

  test("is taken away by an empty value: the default holds again", () => {
    const conf = edit(FILES, { kind: "cluster" }, "scheduler", "bf_interval", "").conf;
    expect(conf).toContain("SchedulerParameters=bf_continue\n");
    const own = edit(FILES, { kind: "qos", name: "high" }, "qos", "Preempt", "");
    expect(own.accounting).toBe(FILES.accounting.replace(" preempt=low", ""));
    const shared = edit(FILES, { kind: "qos", name: "high" }, "qos", "GraceTime", "");
    expect(parsed(shared).qos.map((qos) => [qos.name, qos.graceMs])).toEqual(
      expect.arrayContaining([
        ["high", 0],
        ["low", 5_000],
      ]),
    );
  });

  test("that was the last of its line takes the line with it", () => {
    const text = "add qos high\nmodify qos high set priority=5\n";
    expect(withoutAccountingValue(text, "qos", "high", "priority", "0")).toBe("add qos high\n");
  });

  test("cannot break out of its value", () => {
    const { conf } = edit(FILES, { kind: "cluster" }, "scheduler", "bf_window", '1,defer "x');
    expect(setValues({ ...FILES, conf }).scheduler.has("defer")).toBe(false);
  });
});

describe("what changes between two configurations", () => {
  test("is said in Slurm's names, with defaults where a text is silent", () => {
    const after: SlurmFiles = {
      ...FILES,
      conf: FILES.conf
        .replace("bf_interval=30,bf_continue", "bf_interval=10,bf_max_job_test=50")
        .replace("Default=YES", "Default=YES MaxTime=2-0"),
      accounting: `${FILES.accounting}add qos urgent priority=500\nmodify qos high set priority=5\n`,
    };
    expect(parameterChanges(FILES, after)).toEqual([
      { label: "bf_interval", from: "30", to: "10" },
      { label: "bf_continue", from: "yes", to: "no" },
      { label: "bf_max_job_test", from: "500", to: "50" },
      { label: "partition main MaxTime", from: "UNLIMITED", to: "2-0" },
      { label: "QOS high Priority", from: "100", to: "5" },
      { label: "QOS urgent", from: "not there", to: "Priority=500" },
    ]);
  });

  test("is no parameter where only comments, order and defaults differ", () => {
    const after: SlurmFiles = {
      ...FILES,
      conf: `# other words\nKillWait=30\n${FILES.conf.replace("bf_interval=30,bf_continue", "bf_continue,bf_interval=30")}`,
      topology: "# nothing yet\n",
    };
    expect(parameterChanges(FILES, after).map((change) => change.label)).toEqual(["Texts"]);
    expect(parameterChanges(FILES, { ...FILES })).toEqual([]);
  });

  test("says of a parameter that no run heeds that it is not heeded", () => {
    const after = { ...FILES, conf: `${FILES.conf}Licenses=matlab:3\n` };
    expect(parameterChanges(FILES, after)).toEqual([
      { label: "Licenses (not heeded)", from: "not set", to: "matlab:3" },
    ]);
  });
});

describe("the groups of the form", () => {
  test("hold every parameter of the cluster once, none of them empty", () => {
    const all = [...formParameters("global"), ...formParameters("scheduler")];
    const groups = new Set(all.map(groupOf));
    expect([...groups].toSorted()).toEqual([...PARAMETER_GROUPS].toSorted());
    expect(all.find((each) => each.name === "bf_interval")).toBeDefined();
    expect(groupOf(parameterNamed("global", "PreemptMode")!)).toBe("Preemption");
  });
});
