/** What accounting commands and dumps say of QOS and associations. */
import { describe, expect, test } from "vitest";
import type { SlurmAssociation, SlurmQos } from "../../../src/model/slurm/config.ts";
import { notesOf, parsed, problemsOf } from "./files.ts";

function qosOf(text: string, name: string): SlurmQos {
  return parsed({ accounting: text }).qos.find((qos) => qos.name === name)!;
}

function associationsOf(text: string): readonly SlurmAssociation[] {
  return parsed({ accounting: text }).associations;
}

/** `account/user` with the depth as leading dots. */
function shape(text: string): string[] {
  const list = associationsOf(text);
  const depth = (index: number): number => (index < 0 ? -1 : 1 + depth(list[index]!.parent));
  return list.map(
    (each, index) => `${".".repeat(depth(index))}${each.account}${each.user && `/${each.user}`}`,
  );
}

describe("QOS", () => {
  test("normal is there without a word, and can be changed", () => {
    expect(qosOf("", "normal").priority).toBe(0);
    expect(qosOf("modify qos normal set priority=20\n", "normal").priority).toBe(20);
  });

  test("limits have long and short names; minutes are the unit of times", () => {
    const qos = qosOf(
      "sacctmgr -i add qos q\nsacctmgr -i modify qos where name=q set GrpTRES=gres/gpu=8,cpu=4 maxtrespu=gres/gpu=2 MaxJobsPU=1 maxwall=2 maxsubmitjobspu=3 grptresmins=gres/gpu=10 gracetime=20\n",
      "q",
    );
    expect(qos).toMatchObject({
      grpTres: { "gres/gpu": 8, cpu: 4 },
      maxTresPerUser: { "gres/gpu": 2 },
      maxJobsPerUser: 1,
      maxWallMs: 120_000,
      maxSubmitJobsPerUser: 3,
      grpTresMins: { "gres/gpu": 10 },
      graceMs: 20_000,
    });
  });

  test("-1 clears a limit, and one TRES of a limit", () => {
    const text =
      "add qos q maxjobspu=4 maxtrespu=cpu=1,gres/gpu=2\nmodify qos q set maxjobspu=-1 maxtrespu=cpu=-1\n";
    expect(qosOf(text, "q")).not.toHaveProperty("maxJobsPerUser");
    expect(qosOf(text, "q").maxTresPerUser).toEqual({ "gres/gpu": 2 });
  });

  test("lists of names are replaced, added to and taken from", () => {
    const text =
      "add qos a,b,c\nmodify qos c set preempt=a\nmodify qos c set preempt+=b\nmodify qos c set preempt-=a\n";
    expect(qosOf(text, "c").preempt).toEqual(["b"]);
  });

  test("flags are set, added and cleared", () => {
    const first = "add qos q flags=DenyOnLimit,NoReserve\n";
    expect(qosOf(first, "q")).toMatchObject({ denyOnLimit: true, noReserve: true, noDecay: false });
    expect(qosOf(`${first}modify qos q set flags+=nodecay\n`, "q")).toMatchObject({
      denyOnLimit: true,
      noDecay: true,
    });
    expect(qosOf(`${first}modify qos q set flags=-1\n`, "q")).toMatchObject({
      denyOnLimit: false,
      noReserve: false,
    });
  });

  test("PreemptMode may have WITHIN beside it, and goes back to the cluster's", () => {
    expect(qosOf("add qos q preemptmode=requeue,within\n", "q")).toMatchObject({
      preemptMode: "requeue",
      preemptWithin: true,
    });
    expect(
      qosOf("add qos q preemptmode=cancel\nmodify qos q set preemptmode=cluster\n", "q")
        .preemptMode,
    ).toBeNull();
  });

  test("that is named and never added has no limits, with a note", () => {
    const accounting = "add qos q preempt=ghost\n";
    expect(qosOf(accounting, "ghost").priority).toBe(0);
    expect(notesOf({ accounting })).toMatchObject([{ key: "ghost", kind: "approximated" }]);
  });
});

describe("associations", () => {
  test("nothing said is no tree", () => {
    expect(associationsOf("add qos q\n")).toEqual([]);
  });

  test("hang below root in preorder, users before accounts, by name; user root has one share at the top", () => {
    const text =
      "add account orgb fairshare=40\nadd account orga fairshare=60\nadd account a2 parent=orga\nadd account a1 parent=orga\nadd user zoe,bob account=a1,orga fairshare=3\n";
    expect(shape(text)).toEqual([
      "root",
      ".root/root",
      ".orga",
      "..orga/bob",
      "..orga/zoe",
      "..a1",
      "...a1/bob",
      "...a1/zoe",
      "..a2",
      ".orgb",
    ]);
    const list = associationsOf(text);
    expect(list[1]).toMatchObject({ shares: 1, isDefault: true });
    expect(list.find((each) => each.user === "bob" && each.account === "a1")).toMatchObject({
      shares: 3,
      isDefault: true,
    });
    expect(list.find((each) => each.user === "bob" && each.account === "orga")).toMatchObject({
      isDefault: false,
    });
  });

  test("take QOS, default QOS and limits of one job from above; group limits stay where they are", () => {
    const text =
      "add qos a,b\nadd account x maxjobs=5 grpjobs=9 maxtresperjob=cpu=4 defaultqos=a\nmodify account x set qos=a\nadd user u,v account=x\nmodify user u set qos+=b maxtresperjob=gres/gpu=1\n";
    const list = associationsOf(text);
    const of = (user: string): SlurmAssociation => list.find((each) => each.user === user)!;
    expect(of("v")).toMatchObject({
      qos: ["a"],
      maxJobs: 5,
      maxTresPerJob: { cpu: 4 },
      defaultQos: "a",
    });
    expect(of("v")).not.toHaveProperty("grpJobs");
    expect(of("u")).toMatchObject({ qos: ["a", "b"], maxTresPerJob: { cpu: 4, "gres/gpu": 1 } });
    expect(list[0]).toMatchObject({ qos: ["normal"] });
  });

  test("a user may be in several accounts and partitions; conditions choose among them", () => {
    const text =
      "add account a,b\nadd user u account=a,b partition=p,q\nmodify user where name=u account=a partition=p set fairshare=7\n";
    const own = associationsOf(text).filter((each) => each.user === "u");
    expect(own.map(({ account, partition, shares }) => [account, partition, shares])).toEqual([
      ["a", "p", 7],
      ["a", "q", 1],
      ["b", "p", 1],
      ["b", "q", 1],
    ]);
  });

  test("accounts move, and go with all below them", () => {
    const text =
      "add account a,b\nadd account c parent=a\nadd user u account=c\nmodify account c set parent=b\n";
    expect(shape(text)).toEqual(["root", ".root/root", ".a", ".b", "..c", "...c/u"]);
    expect(shape(`${text}delete account b\n`)).toEqual(["root", ".root/root", ".a"]);
    expect(problemsOf({ accounting: `${text}modify account b set parent=c\n` })).toHaveLength(1);
  });

  test("shares are a number or the parent's", () => {
    expect(
      associationsOf("add account a\nadd user u account=a fairshare=parent\n").at(-1)!.shares,
    ).toBe("parent");
    expect(problemsOf({ accounting: "add account a fairshare=some\n" })).toHaveLength(1);
  });

  test.each([
    ["a user without an account", "add user u\n"],
    ["an unknown account", "add user u account=ghost\n"],
    ["an unknown parent", "add account a parent=ghost\n"],
    ["an unknown user", "modify user ghost set fairshare=2\n"],
  ])("%s is a problem", (_, accounting) => {
    expect(problemsOf({ accounting })[0]!.place).toMatch(/^sacctmgr:1, /);
  });

  test("a cluster's QOS hold for all below", () => {
    const text = "add qos x\nadd cluster c qos=x fairshare=1\nadd account a\n";
    expect(associationsOf(text).at(-1)!.qos).toEqual(["x"]);
  });
});

test("a dump says the same as the commands that made it", () => {
  const dump = [
    "# To edit this file start with a cluster line",
    "Cluster - 'c1':Fairshare=1:QOS='normal'",
    "Parent - 'root'",
    "User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1",
    "Account - 'orga':Description='Org: A':Organization='x':Fairshare=60",
    "Parent - 'orga'",
    "Account - 'a1':Fairshare=30:MaxWallDurationPerJob=2880:QOS='normal'",
    "Parent - 'a1'",
    "User - 'bob':DefaultAccount='a1':Fairshare=3:GrpTRES=cpu=4,gres/gpu=2",
    "",
  ].join("\n");
  const commands =
    "add account orga fairshare=60\nadd account a1 parent=orga fairshare=30 maxwall=2-0\nadd user bob account=a1 fairshare=3 grptres=cpu=4,gres/gpu=2\n";
  expect(associationsOf(dump)).toEqual(associationsOf(commands));
  expect(notesOf({ accounting: dump })).toEqual([]);
});

test("a command that shows something is harmless, one that is not known is noted", () => {
  expect(
    notesOf({
      accounting: "list associations tree\nadd coordinator account=a names=b\nfor x in y\n",
    }),
  ).toMatchObject([
    { line: 1, kind: "ignored" },
    { line: 2, kind: "notModelled" },
    { line: 3, kind: "notModelled" },
  ]);
});
