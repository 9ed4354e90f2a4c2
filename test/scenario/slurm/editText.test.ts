/** One value of a text changes, and nothing else. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withAccountingValue } from "../../../src/scenario/slurm/editAccounting.ts";
import { valueIn, withoutValue, withValue } from "../../../src/scenario/slurm/editText.ts";
import { confLines } from "../../../src/scenario/slurm/lex.ts";
import { SCHEDULER_PARAMETERS } from "../../../src/scenario/slurm/parametersScheduler.ts";
import { parsed } from "./files.ts";

const CONF = [
  "# Scheduling, by hand",
  "SchedulerType=sched/backfill   # both",
  "SchedulerParameters=bf_interval=30,bf_continue,\\",
  "bf_window=1440",
  "",
  "NodeName=n[1-2] CPUs=4 # two",
  "PartitionName=a Nodes=n1 MaxTime=60 Default=YES # first",
  "PartitionName=b Nodes=n2",
  "KillWait = 30",
  "",
].join("\n");

describe("a key of the cluster", () => {
  test("is changed where it stands, in any case, and keeps its comment", () => {
    expect(withValue(CONF, "schedulertype", "sched/builtin")).toBe(
      CONF.replace("sched/backfill", "sched/builtin"),
    );
    expect(withValue(CONF, "KillWait", "5")).toBe(CONF.replace("KillWait = 30", "KillWait = 5"));
  });

  test("that is not there is added at the end", () => {
    expect(withValue(CONF, "OverTimeLimit", "2")).toBe(`${CONF}OverTimeLimit=2\n`);
    expect(withValue("A=1", "B", "two words")).toBe('A=1\nB="two words"\n');
  });

  test("goes with its line, and leaves a comment behind it", () => {
    expect(withoutValue(CONF, "KillWait")).toBe(CONF.replace("KillWait = 30\n", ""));
    expect(withoutValue(CONF, "SchedulerType")).toBe(
      CONF.replace("SchedulerType=sched/backfill", ""),
    );
  });

  test("does not meet the field of a partition that has the same name", () => {
    const text = "PartitionName=p PreemptMode=OFF\n";
    expect(valueIn(text, "PreemptMode")).toBeUndefined();
    expect(withValue(text, "PreemptMode", "CANCEL")).toBe(`${text}PreemptMode=CANCEL\n`);
  });
});

describe("an option of SchedulerParameters", () => {
  test("is read: its value, yes for a flag, nothing where it is missing", () => {
    expect(valueIn(CONF, "SchedulerParameters", "bf_window")).toBe("1440");
    expect(valueIn(CONF, "SchedulerParameters", "bf_continue")).toBe("yes");
    expect(valueIn(CONF, "SchedulerParameters", "defer")).toBeUndefined();
  });

  test("is changed, added and taken away within the list", () => {
    const list = (text: string): string | undefined => valueIn(text, "SchedulerParameters");
    expect(list(withValue(CONF, "SchedulerParameters", "60", "bf_interval"))).toBe(
      "bf_interval=60,bf_continue,bf_window=1440",
    );
    expect(list(withValue(CONF, "SchedulerParameters", "yes", "defer"))).toBe(
      "bf_interval=30,bf_continue,bf_window=1440,defer",
    );
    expect(list(withoutValue(CONF, "SchedulerParameters", "bf_continue"))).toBe(
      "bf_interval=30,bf_window=1440",
    );
    expect(withValue("", "SchedulerParameters", "yes", "defer")).toBe(
      "SchedulerParameters=defer\n",
    );
    expect(withoutValue("SchedulerParameters=defer\n", "SchedulerParameters", "defer")).toBe("");
  });

  test("that stands twice stands once after a change", () => {
    const text = withValue(
      "SchedulerParameters=bf_interval=1,defer,bf_interval=2\n",
      "SchedulerParameters",
      "3",
      "bf_interval",
    );
    expect(text).toBe("SchedulerParameters=defer,bf_interval=3\n");
  });
});

describe("a field of one line", () => {
  const of = { key: "PartitionName", name: "a" } as const;

  test("is changed, added behind the others, and taken away", () => {
    expect(withValue(CONF, "MaxTime", "5", undefined, of)).toBe(
      CONF.replace("MaxTime=60", "MaxTime=5"),
    );
    expect(withValue(CONF, "GraceTime", "9", undefined, of)).toBe(
      CONF.replace("Default=YES #", "Default=YES GraceTime=9 #"),
    );
    expect(withoutValue(CONF, "MaxTime", undefined, of)).toBe(CONF.replace(" MaxTime=60", ""));
  });

  test("of a line that is not there makes the line", () => {
    const made = withValue(CONF, "MaxTime", "5", undefined, { key: "PartitionName", name: "c" });
    expect(made).toBe(`${CONF}PartitionName=c MaxTime=5\n`);
  });
});

describe("a field of a QOS", () => {
  const text =
    "add qos low,high\nmodify qos low set priority=10 gracetime=5 # slow\nmodify qos low,high set maxjobspu=3\n";

  test("is changed in the line that sets it for this QOS alone", () => {
    expect(withAccountingValue(text, "qos", "low", "Priority", "12")).toBe(
      text.replace("priority=10", "priority=12"),
    );
  });

  test("that no such line sets gets a line of its own", () => {
    const made = withAccountingValue(text, "qos", "high", "maxjobspu", "4");
    expect(made).toBe(`${text}modify qos high set maxjobspu=4\n`);
    expect(parsed({ accounting: made }).qos.map((qos) => qos.maxJobsPerUser)).toEqual([
      undefined,
      3,
      4,
    ]);
  });

  test("holds although a later line about several sets it too", () => {
    const later = `${text}modify qos low,high set priority=99\n`;
    const made = withAccountingValue(later, "qos", "low", "priority", "1");
    expect(parsed({ accounting: made }).qos.find((qos) => qos.name === "low")!.priority).toBe(1);
  });
});

const conf = fc
  .array(
    fc.constantFrom(
      "# words, bf_interval=5",
      "SchedulerParameters=bf_interval=7,defer # c",
      "SchedulerParameters = bf_window=10,\\\nbf_interval=3",
      "KillWait=4",
      "",
      "   NodeName=n[1-2]  CPUs=2 \\",
      "PartitionName=p Nodes=ALL",
    ),
    { maxLength: 8 },
  )
  .map((lines) => `${lines.join("\n")}${lines.length > 0 ? "\n" : ""}`);
const options = fc.constantFrom(
  ...SCHEDULER_PARAMETERS.filter((each) => each.standing === "modelled"),
);

describe("for every text and option", () => {
  test("the value that is set is the value that is read", () => {
    fc.assert(
      fc.property(conf, options, fc.integer({ min: 2, max: 99 }), (text, option, number) => {
        const value = option.kind.is === "flag" ? "yes" : String(number);
        const after = withValue(text, "SchedulerParameters", value, option.name);
        expect(valueIn(after, "SchedulerParameters", option.name)).toBe(value);
        const without = withoutValue(after, "SchedulerParameters", option.name);
        expect(valueIn(without, "SchedulerParameters", option.name)).toBeUndefined();
      }),
    );
  });

  test("all other pairs stay as they were", () => {
    fc.assert(
      fc.property(conf, fc.constantFrom("KillWait", "OverTimeLimit"), (text, key) => {
        const others = (from: string): string[] =>
          confLines(from).flatMap((line) =>
            line.pairs
              .filter((pair) => pair.key !== key)
              .map((pair) => `${pair.key}=${pair.value}`),
          );
        const after = withValue(text, key, "17");
        expect(valueIn(after, key)).toBe("17");
        expect(others(after)).toEqual(others(text));
        const comments = (from: string): string[] => from.match(/#.*/g) ?? [];
        expect(comments(after)).toEqual(comments(text));
      }),
    );
  });
});
