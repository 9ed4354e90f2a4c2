/**
 * Two leaves with a quarter of the bandwidth going up. A job of two nodes comes first, so both four-node gangs behind it are laid across the leaves and their
 * all-reduces share the uplinks. Kept under as few leaves as can hold it, each gang has a leaf to itself.
 */
import { HOUR_MS, MINUTE_MS } from "../../model/units.ts";
import type { LibraryEntry } from "./entry.ts";

const TITLE = "Two gangs, one uplink";
const QUESTION =
  "How much slower do two gangs run that share an oversubscribed uplink, and is it worth waiting?";
/** Both gangs run by then, and share the uplinks. */
const CURSOR_MS = 60 * MINUTE_MS;
/** Before the first of them is placed. */
const CHANGE_MS = 2 * MINUTE_MS;
const settings = { backfill: "easy" };

export const labNetwork: LibraryEntry = {
  id: "lab-network",
  title: TITLE,
  question: QUESTION,
  openAt: { cursorMs: CURSOR_MS, select: "moe-a" },
  suggest: {
    label: "Keep each gang under one leaf",
    intervention: {
      kind: "policy",
      atMs: CHANGE_MS,
      policy: { settings: { ...settings, placement: "sameLeaf", within: "leaf" } },
      note: "Same leaf",
    },
  },
  document: {
    version: 1,
    title: TITLE,
    question: QUESTION,
    calendarStart: "2026-03-02T08:00:00",
    cluster: {
      nodeGroups: [{ id: "h100", count: 8, gpus: 8 }],
      fabric: { nodesPerLeaf: 4 },
      network: { oversubscription: 4 },
    },
    pools: [{ id: "all", policy: { settings } }],
    workload: {
      jobs: [
        gang("tokenize", 0, 2, 0.5, 0),
        gang("moe-a", 5, 4, 4, 60),
        gang("moe-b", 10, 4, 4, 60),
        gang("probe", 90, 1, 1, 2),
      ],
    },
  },
};

function gang(id: string, submit: number, nodes: number, hours: number, allReduceGiB: number) {
  return {
    id,
    submitMs: submit * MINUTE_MS,
    nodes,
    gpusPerNode: 8,
    workMs: hours * HOUR_MS,
    traffic: { stepMs: 500, allReduceGiB, overlap: 0.3 },
  };
}
