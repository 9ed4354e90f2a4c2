/** The catalogue of Slurm's parameters and the configuration that they set are held to each other. */
import { describe, expect, test } from "vitest";
import type { SlurmConfig } from "../../../src/model/slurm/config.ts";
import {
  defaultConfig,
  defaultNode,
  defaultPartition,
  defaultQos,
} from "../../../src/model/slurm/defaults.ts";
import type { Parameter } from "../../../src/scenario/slurm/parameterKinds.ts";
import { PARAMETERS, parameterNamed } from "../../../src/scenario/slurm/parameters.ts";
import { parsed } from "./files.ts";

const heeded = PARAMETERS.filter((each) => each.fields.length > 0);

/** Dotted paths of the plain fields of a record. */
function pathsOf(record: object, prefix = ""): string[] {
  return Object.entries(record).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value) && key !== "weightTres"
      ? pathsOf(value, `${prefix}${key}.`)
      : [`${prefix}${key}`],
  );
}

function fieldsOf(scope: Parameter["scope"]): Set<string> {
  return new Set(heeded.filter((each) => each.scope === scope).flatMap((each) => each.fields));
}

describe("every field of a configuration is set by some parameter", () => {
  test("of the cluster and of SchedulerParameters", () => {
    const settable = new Set([...fieldsOf("global"), ...fieldsOf("scheduler")]);
    const lists = ["nodes", "partitions", "qos", "associations", "switches"];
    const missing = pathsOf(defaultConfig()).filter(
      (path) => !settable.has(path) && !lists.includes(path),
    );
    expect(missing).toEqual([]);
  });

  test.each([
    ["partition", defaultPartition("p")],
    ["node", defaultNode("n")],
    ["qos", defaultQos("q")],
  ] as const)("of a %s", (scope, record) => {
    const settable = fieldsOf(scope);
    const missing = pathsOf(record).filter((path) => path !== "name" && !settable.has(path));
    expect(missing).toEqual([]);
  });
});

/** A value that is not the default, by the form of the value; null: the parameter needs one of its own, below. */
function otherValue({ kind, standard }: Parameter): string | null {
  switch (kind.is) {
    case "choice": {
      const usual = kind.values[standard] ?? Symbol("none");
      const other = Object.entries(kind.values).find(
        ([, value]) => value !== usual && value !== "",
      );
      return other![0];
    }
    case "boolean":
      return /^(1|yes)$/i.test(standard) ? "no" : "yes";
    case "flag":
      return "";
    case "tres":
      return "cpu=7";
    case "names":
      return "one,two";
    case "memory":
    case "integer":
    case "duration":
      return "2" === standard ? "1" : kind.is === "duration" && kind.unitMs === 1_000 ? "17" : "2";
    case "decimal":
      return "2.5";
    case "time":
      return "3";
    case "text":
      return "normal";
    case "special":
      return null;
  }
}

const SPECIAL_VALUES: Readonly<Record<string, string>> = {
  SelectTypeParameters: "CR_Core_Memory,CR_LLN,CR_Pack_Nodes,CR_ONE_TASK_PER_CORE",
  TopologyParam: "TopoOptional",
  AccountingStorageEnforce: "safe,qos",
  AuthInfo: "cred_expire=7",
  PriorityCalcPeriod: "1",
  PriorityFlags:
    "ACCRUE_ALWAYS,CALCULATE_RUNNING,NO_FAIR_TREE,SMALL_RELATIVE_TO_TIME,MAX_TRES,NO_NORMAL_ALL,INCR_ONLY",
  PreemptMode: "REQUEUE,GANG,WITHIN",
  OverSubscribe: "FORCE:3",
  Nodes: "ALL",
  AllowAccounts: "a,b",
  AllowQos: "normal",
  JobDefaults: "DefCpuPerGPU=3,DefMemPerGPU=4",
  Gres: "gpu:a100:8",
  Preempt: "normal",
  GraceTime: "9",
  Flags:
    "DenyOnLimit,NoReserve,NoDecay,OverPartQOS,EnforceUsageThreshold,PartitionMaxNodes,PartitionMinNodes,PartitionTimeLimit,RequiresReservation",
  Fairshare: "5",
  QosLevel: "high",
  DefaultAccount: "other",
  MaxArraySize: "7",
};

const valueFor = (parameter: Parameter): string =>
  SPECIAL_VALUES[parameter.name] ?? otherValue(parameter) ?? "";

const NODE = "NodeName=n[1-2]";
const PARTITION = "PartitionName=p";
const DATABASE =
  "add qos high,q\nadd account a,other\nadd user u account=a\nadd user u account=other\n";

/** What a configuration has at the place of a parameter before and after it is given. */
function effect(parameter: Parameter): {
  before: SlurmConfig;
  after: SlurmConfig;
  at: (config: SlurmConfig) => object;
} {
  const pair =
    parameter.kind.is === "flag" ? parameter.name : `${parameter.name}=${valueFor(parameter)}`;
  const base = { conf: `${NODE}\n${PARTITION}\n`, accounting: DATABASE };
  switch (parameter.scope) {
    case "global":
      return {
        before: parsed(base),
        after: parsed({ ...base, conf: `${pair}\n${base.conf}` }),
        at: (config) => config,
      };
    case "scheduler":
      return {
        before: parsed(base),
        after: parsed({ ...base, conf: `SchedulerParameters=${pair}\n${base.conf}` }),
        at: (config) => config,
      };
    case "partition":
      return {
        before: parsed(base),
        after: parsed({ ...base, conf: `${NODE}\n${PARTITION} ${pair}\n` }),
        at: (config) => config.partitions[0]!,
      };
    case "node":
      return {
        before: parsed(base),
        after: parsed({ ...base, conf: `${NODE} ${pair}\n${PARTITION}\n` }),
        at: (config) => config.nodes[0]!,
      };
    case "qos":
      return {
        before: parsed(base),
        after: parsed({ ...base, accounting: `${DATABASE}modify qos q set ${pair}\n` }),
        at: (config) => config.qos.find((qos) => qos.name === "q")!,
      };
    case "association":
      return {
        before: parsed(base),
        after: parsed({
          ...base,
          accounting: `${DATABASE}modify user u where account=a set ${pair}\n`,
        }),
        at: (config) =>
          config.associations.find((each) => each.user === "u" && each.account === "a")!,
      };
  }
}

function fieldAt(record: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], record);
}

describe("every parameter that is heeded changes its fields", () => {
  test.each(heeded.map((each) => [`${each.scope} ${each.name}`, each] as const))(
    "%s",
    (_, parameter) => {
      const { before, after, at } = effect(parameter);
      for (const path of parameter.fields) {
        const usual = fieldAt(at(before), path);
        const changed = fieldAt(at(after), path);
        expect(changed, path).not.toEqual(usual);
        if (usual !== null && usual !== undefined && parameter.name !== "Fairshare") {
          expect(typeof changed, path).toBe(typeof usual);
        }
      }
    },
  );
});

describe("the default of a parameter", () => {
  const stated = heeded.filter((each) => each.standard !== "" && each.kind.is !== "flag");
  test.each(stated.map((each) => [`${each.scope} ${each.name}`, each] as const))(
    "%s, written out, changes nothing",
    (_, parameter) => {
      const pair = `${parameter.name}=${parameter.standard}`;
      const conf = `${NODE}\n${PARTITION} Nodes=n1\n`;
      const base = { conf, accounting: DATABASE };
      const given = {
        global: { ...base, conf: `${pair}\n${conf}` },
        scheduler: { ...base, conf: `SchedulerParameters=${pair}\n${conf}` },
        partition: { ...base, conf: `${NODE}\n${PARTITION} Nodes=n1 ${pair}\n` },
        node: { ...base, conf: `${NODE} ${pair}\n${PARTITION} Nodes=n1\n` },
        qos: { ...base, accounting: `${DATABASE}modify qos q set ${pair}\n` },
        association: { ...base, accounting: `${DATABASE}modify user u set ${pair}\n` },
      }[parameter.scope];
      expect(parsed(given)).toEqual(parsed(base));
    },
  );
});

describe("the catalogue", () => {
  test("has each name of a scope once, aliases included", () => {
    const names = PARAMETERS.flatMap((each) =>
      [each.name, ...each.aliases].map((name) => `${each.scope} ${name.toLowerCase()}`),
    );
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("finds a parameter in any case", () => {
    expect(parameterNamed("global", "KILLWAIT")?.name).toBe("KillWait");
    expect(parameterNamed("qos", "maxtrespu")?.name).toBe("MaxTRESPerUser");
  });

  test("every approximated parameter says what differs", () => {
    const silent = PARAMETERS.filter((each) => each.standing === "approximated" && !each.differs);
    expect(silent).toEqual([]);
  });

  test("every parameter has a sentence and a manual page", () => {
    for (const each of PARAMETERS) {
      expect(each.sentence).toMatch(/\.$/);
      expect(each.link).toMatch(/^https:\/\/slurm\.schedmd\.com\/[\w.]+#OPT_\w+(=#)?$/);
    }
  });
});
