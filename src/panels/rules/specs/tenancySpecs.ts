/** Fields of who may use how much: tiers, teams, limits, disruption budgets. */
import type { LeafSpec } from "../../../ui/fields/fieldSpec.ts";

const PER = { user: "each user", team: "each team", tier: "each tier" };

export const TIER_SPECS: readonly LeafSpec[] = [
  { key: "letter", label: "Letter", sentence: "Stands on its bars, beside the colour.", width: 44 },
  { key: "name", label: "Name", sentence: "What people call the tier.", width: 96 },
  {
    key: "preemptMode",
    label: "Preempted by",
    sentence: "How its own jobs are preempted; empty: as the policy says.",
    absent: "policy",
    width: 92,
  },
  {
    key: "graceMs",
    label: "Grace",
    sentence: "Time its jobs have to save when they are preempted; empty: as the policy says.",
    absent: "policy",
    width: 74,
  },
  {
    key: "guaranteedGpus",
    label: "Guaranteed",
    unit: "GPUs",
    sentence: "GPUs that lower tiers may use only while they can be taken back.",
    absent: "none",
    width: 74,
  },
  {
    key: "capGpus",
    label: "Cap",
    unit: "GPUs",
    sentence: "The tier never uses more than this at once.",
    absent: "none",
    width: 60,
  },
  {
    key: "targetWaitMs",
    label: "Target wait",
    sentence: "The wait that its users expect: the report counts how many wait longer.",
    absent: "none",
    width: 74,
  },
  {
    key: "usageFactor",
    label: "Usage ×",
    sentence: "What a device-hour counts as past usage: 1 as it is, 0 = free.",
    absent: "1",
    width: 56,
  },
];

export const TEAM_SPECS: readonly LeafSpec[] = [
  {
    key: "name",
    label: "Name",
    sentence: "What people call the team.",
    absent: "as id",
    width: 112,
  },
  {
    key: "shares",
    label: "Shares",
    sentence: "Its part of what is shared, against the shares of its neighbours.",
    width: 68,
  },
  {
    key: "parent",
    label: "Within",
    sentence: "The team above it, for Fair Tree and quotas.",
    names: "teams",
    absent: "–",
    width: 104,
  },
  {
    key: "quotaGpus",
    label: "Quota",
    unit: "GPUs",
    sentence: "GPUs that it is entitled to. Empty: none of its own.",
    absent: "none",
    width: 76,
  },
  {
    key: "borrowGpus",
    label: "May borrow",
    unit: "GPUs",
    sentence: "GPUs beyond its quota that it may use while others leave them idle; empty: all.",
    absent: "all",
    width: 84,
  },
  {
    key: "lendGpus",
    label: "Lends",
    unit: "GPUs",
    sentence: "GPUs of its quota that others may use; empty: all.",
    absent: "all",
    width: 76,
  },
  {
    key: "budget",
    label: "Budget",
    unit: "credits",
    sentence: "Credits for the auction at the begin and at each refill.",
    absent: "none",
    width: 84,
  },
];

export const LIMIT_SPECS: readonly LeafSpec[] = [
  {
    key: "per",
    label: "Limits",
    sentence: "Whose use is counted together.",
    words: PER,
    width: 104,
  },
  {
    key: "name",
    label: "Only",
    sentence: "One name; empty: each of them has this limit for itself.",
    absent: "each",
    width: 112,
  },
  {
    key: "gpus",
    label: "At once",
    unit: "GPUs",
    sentence: "GPUs that run at the same time.",
    absent: "no limit",
    width: 84,
  },
  {
    key: "jobs",
    label: "At once",
    unit: "jobs",
    sentence: "Jobs that run at the same time.",
    absent: "no limit",
    width: 84,
  },
  {
    key: "members",
    label: "At once",
    unit: "tasks",
    sentence: "Members (tasks) of jobs that run at the same time.",
    absent: "no limit",
    width: 84,
  },
  {
    key: "gpuHours",
    label: "Used",
    unit: "GPU-hours",
    sentence: "GPU-hours within the period.",
    absent: "no limit",
    width: 92,
  },
  {
    key: "periodMs",
    label: "Within the last",
    sentence: "The period of the GPU-hours: a window that ends now; empty: the whole run.",
    absent: "whole run",
    width: 96,
  },
];

export const DISRUPTION_SPECS: readonly LeafSpec[] = [
  {
    key: "per",
    label: "Protects",
    sentence: "Whose jobs are counted together.",
    words: PER,
    width: 112,
  },
  {
    key: "name",
    label: "Only",
    sentence: "One name; empty: each of them has this budget for itself.",
    absent: "each",
    width: 128,
  },
  {
    key: "jobs",
    label: "Evictions at most",
    unit: "jobs",
    sentence: "So many jobs are preempted within the period, and no more.",
    width: 120,
  },
  {
    key: "periodMs",
    label: "Within",
    sentence: "The period: a window that ends now.",
    width: 96,
  },
];
