/**
 * What the preset models, word for word as in `docs/policies/slurm.md` (the test suite holds the two together): the page and the
 * document say the same. What it makes of single parameters stands in the catalogue (`parameters.ts`).
 */

/** The version of Slurm whose recordings the preset is held to. */
export const CHECKED_VERSION = "22.05.8";

/** The rules of the document, by its headings. */
export const MODELLED: readonly string[] = [
  "Two schedulers",
  "Time limits",
  "Preemption",
  "Taking turns",
  "Grace time",
  "Requeue",
  "Priority",
  "Fair share",
  "Placement",
  "Topology",
  "Exclusive nodes",
  "Limits",
  "Reservations",
  "Arrays",
  "Dependencies and begin times",
  "Nodes that fail",
];

export const APPROXIMATED: readonly string[] = [
  "A job ends in the second in which its work is done. On a real machine epilog and messages add up to some seconds.",
  "Starting and ending cost the controller no time; a backfill pass sees one moment (real passes yield locks and may see several).",
  "The hold-back of a requeued job is counted in whole seconds from the requeue.",
  "A node that has died gets no new jobs even before that is noticed; slurmctld would send them there, and they would fail.",
  "Usage at the end of a job is added at its end; classic fair share has no lag between accounts and users.",
  "After another preset Slurm's usage (sshare, fair-share factors, limits on minutes) starts anew at the change: slurmctld has no accounting of before it ran.",
];

export const NOT_MODELLED: readonly string[] = [
  "Federations",
  "licenses",
  "burst buffers",
  "srun steps",
  "salloc waiting",
  "power saving",
  "SPECIAL_EXIT",
  "cron jobs",
  "plugins that change jobs at submission",
  "CPU frequency",
  "core specialization",
  "job containers beyond their start-up time",
  "preempt_send_user_signal to steps",
];

/** Built from the manual alone: no recording shows it. */
export const NOT_CHECKED: readonly string[] = [
  "Heterogeneous jobs (all components start together)",
  "typed GRES",
  "MIG as typed GRES",
  "shard",
  "--signal before the limit and before preemption",
  "container start-up time",
  "reservations weeks ahead (DAILY, WEEKLY over a day's end)",
  "memory as a consumed resource",
];

/** Pages of the manual. */
export const MANUAL_PAGES: readonly { readonly name: string; readonly link: string }[] = [
  { name: "slurm.conf", link: "https://slurm.schedmd.com/slurm.conf.html" },
  { name: "gres.conf", link: "https://slurm.schedmd.com/gres.conf.html" },
  { name: "topology.conf", link: "https://slurm.schedmd.com/topology.conf.html" },
  { name: "sacctmgr", link: "https://slurm.schedmd.com/sacctmgr.html" },
  { name: "Scheduling", link: "https://slurm.schedmd.com/sched_config.html" },
  { name: "Priority", link: "https://slurm.schedmd.com/priority_multifactor.html" },
  { name: "Fair Tree", link: "https://slurm.schedmd.com/fair_tree.html" },
  { name: "Preemption", link: "https://slurm.schedmd.com/preempt.html" },
  { name: "Limits", link: "https://slurm.schedmd.com/resource_limits.html" },
  { name: "Reservations", link: "https://slurm.schedmd.com/reservations.html" },
  { name: "Topology", link: "https://slurm.schedmd.com/topology.html" },
];
