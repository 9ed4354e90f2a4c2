/** Settings of what may share a node, how MIG slices and shares are packed, and of moving jobs together. */
import { optionsOf, type SettingSpec } from "../settingSpec.ts";

const YEAR_MS = 366 * 86_400_000;

export const PLACEMENT_SETTINGS: readonly SettingSpec[] = [
  {
    key: "within",
    label: "Stay within",
    sentence: "A bound for every job, whether it asked for one or not.",
    kind: "enum",
    standard: "asWished",
    options: optionsOf(["asWished", "leaf", "nvswitch"] as const, {
      asWished: ["As the job wishes", "Only jobs that ask for it are bound."],
      leaf: ["One leaf", "A job waits until one leaf holds all of it."],
      nvswitch: ["One NVSwitch domain", "A job waits until one domain holds all of it."],
    }),
    group: "Placement",
  },
  {
    key: "numa",
    label: "NUMA domains",
    sentence: "Whether the devices of one member lie in one NUMA domain of its node.",
    kind: "enum",
    standard: "ignore",
    options: optionsOf(["ignore", "prefer", "single"] as const, {
      ignore: ["Ignored", "The lowest free devices of the node."],
      prefer: ["Preferred", "One domain where the chosen node has one with room."],
      single: ["Required", "A member only starts where one domain holds all its devices."],
    }),
    group: "Placement",
  },
  {
    key: "cpuReserve",
    label: "CPUs kept for each device",
    sentence: "CPUs of a node that are closed to work without devices, for each device of it.",
    kind: "number",
    standard: 0,
    least: 0,
    most: 1_000,
    unit: "CPUs",
    group: "Placement",
  },
  {
    key: "migPacking",
    label: "MIG slices",
    sentence: "On which device, and where on it, a MIG slice is cut.",
    kind: "enum",
    standard: "ownDevice",
    options: optionsOf(["ownDevice", "firstFit", "bestFit", "search"] as const, {
      ownDevice: [
        "A device each",
        "Every slice gets a free device of its own, so seven 1g slices take seven devices. Device plugins put several on one: First fit.",
      ],
      firstFit: [
        "First fit",
        "The first place that is free, on a device in use before a free one.",
      ],
      bestFit: [
        "Least damage",
        "The place that takes fewest starts from the profiles that the workload asks for.",
      ],
      search: [
        "Search for a layout",
        "As least damage, and the slices of one job are cut most constrained first.",
      ],
    }),
    group: "Placement",
  },
  {
    key: "sharePacking",
    label: "Shares of devices",
    sentence: "Which device of a node a share goes to.",
    kind: "enum",
    standard: "firstUsed",
    options: optionsOf(["firstUsed", "tightest", "spread"] as const, {
      firstUsed: ["First in use", "The first device in use with room, else the first free one."],
      tightest: ["Tightest", "The device with least left that has room."],
      spread: ["Spread", "The device with most left."],
    }),
    group: "Placement",
  },
  {
    key: "repartitionMs",
    label: "Cutting a device",
    sentence:
      "An idle device is out of use for so long before its first MIG slice, while it is cut anew; later slices join at once.",
    kind: "duration",
    standard: 0,
    least: 0,
    most: YEAR_MS,
    group: "Placement",
  },
  {
    key: "defragment",
    label: "Defragmentation",
    sentence: "Whether running jobs are moved together so that a waiting job fits.",
    kind: "boolean",
    standard: false,
    group: "Placement",
  },
  {
    key: "defragmentEveryMs",
    label: "Interval",
    sentence: "Least time between two rounds of moving.",
    kind: "duration",
    standard: 600_000,
    least: 0,
    most: YEAR_MS,
    group: "Placement",
    when: { key: "defragment", is: [true] },
  },
  {
    key: "defragmentCostMs",
    label: "Cost of a move",
    sentence:
      "A job that moves stops for so long; where it saves and restores, that time comes on top.",
    kind: "duration",
    standard: 60_000,
    least: 0,
    most: YEAR_MS,
    group: "Placement",
    when: { key: "defragment", is: [true] },
  },
  {
    key: "defragmentMoves",
    label: "Moves in a round",
    sentence: "No round moves more jobs than this.",
    kind: "integer",
    standard: 8,
    least: 1,
    most: 10_000,
    unit: "jobs",
    group: "Placement",
    when: { key: "defragment", is: [true] },
  },
];
