/**
 * What each field of a document says, one sentence a field: for the published schema, where editors show it. They stand beside the schema and not in it, so that
 * a page that only reads documents need not carry them. Names are those of the schema from the top, without places in lists. A field without default says what
 * its absence means; a number whose name has no unit says what it counts.
 */
import { JOB_SENTENCES } from "./jobSentences.ts";

const RUN: Readonly<Record<string, string>> = {
  version: "Version of the format of this document.",
  title: "What people call the scenario.",
  question: "The question that the scenario answers; absent: none is shown.",
  seed: "A number from which everything random is drawn; another one draws other arrivals, run times and failures.",
  horizonMs: "End of the run; absent: until the last job has ended.",
  calendarStart: "Wall clock of time 0, as YYYY-MM-DDTHH:MM:SS; absent: Day 1, 00:00.",
  calendarUtcOffsetMin:
    "How far the calendar's clock is ahead of UTC, in minutes; absent: not known, and times are shown by the calendar alone.",
  killAtLimit: "Jobs are killed at their time limit; otherwise they run on.",
  queues: "Names of queues that jobs and pools refer to.",
  interventions:
    "What is done to the run at a time: other policies, jobs injected, nodes failed and the like, in any order; one with off is kept in the list and not done.",
};

const CLUSTER: Readonly<Record<string, string>> = {
  "cluster.nodeGroups.id": "Name of the group; its nodes are called after it.",
  "cluster.nodeGroups.count": "Number of nodes of this kind.",
  "cluster.nodeGroups.names":
    "Names of its nodes as a host list, as many as count; absent: id-000, id-001 and so on.",
  "cluster.nodeGroups.gpuModel": "Model of its GPUs, as jobs ask for it.",
  "cluster.nodeGroups.gpuMemGiB": "Memory of one GPU; it decides where MIG slices fit.",
  "cluster.nodeGroups.gpus": "GPUs of a node; of a flat machine, processors.",
  "cluster.nodeGroups.cpus": "CPUs of a node; 0: they are not counted.",
  "cluster.nodeGroups.memGiB": "Memory of a node; 0: it is not counted.",
  "cluster.nodeGroups.numaDomains":
    "NUMA domains of a node, over which its GPUs are spread evenly.",
  "cluster.nodeGroups.nvswitchNodes":
    "Nodes that share one NVSwitch domain: 1 inside each node, 18 an NVL72, 0 none.",
  "cluster.nodeGroups.labels": "Labels of its nodes, which jobs may ask for.",
  "cluster.nodeGroups.pricePerGpuHour":
    "What one GPU costs an hour, in any money; absent: it is not counted.",
  "cluster.nodeGroups.burst.startupMs": "From the order of a rented node until it is there.",
  "cluster.nodeGroups.burst.idleTimeoutMs":
    "A rented node that has been idle so long is given back.",
  "cluster.nodeGroups.burst.afterWaitMs":
    "A node is rented when work has waited so long for devices.",
  "cluster.nodeGroups.burst.spotMeanMs":
    "Mean time until the cloud takes a node back; absent: never.",
  "cluster.nodeGroups.burst.spotNoticeMs": "So long before it takes a node the cloud says so.",
  "cluster.fabric.nodesPerLeaf": "Nodes below one leaf switch.",
  "cluster.fabric.leavesPerSpine": "Leaf switches below one spine, in nodes' order.",
  "cluster.switches.name": "Name of the switch.",
  "cluster.switches.nodes":
    "Nodes of a leaf switch, as a host list; absent: it stands above other switches.",
  "cluster.switches.switches": "Switches below it, by name; absent: it is a leaf.",
  "cluster.flat": "One undivided machine of processors, as in SWF logs: no placement rules.",
  "cluster.network.nvlinkGBps":
    "Bandwidth between GPUs of one NVSwitch domain, in one direction, a GPU.",
  "cluster.network.nvlinkMicros": "Latency of one message inside an NVSwitch domain.",
  "cluster.network.nicGBps": "Bandwidth of one network card in one direction.",
  "cluster.network.nicMicros": "Latency of one message over one switch tier.",
  "cluster.network.nicsPerNode": "Network cards of a node, shared by its GPUs in order.",
  "cluster.network.rails":
    "Each card is on a rail of its own, so that all cards of a gang carry its traffic.",
  "cluster.network.oversubscription": "Down links ÷ up links of a leaf: 1 is no oversubscription.",
  "cluster.storage.writeGBps": "Bandwidth that all writers of checkpoints share.",
  "cluster.storage.readGBps":
    "Bandwidth that all readers of checkpoints share; absent: as for writing.",
};

const TENANCY: Readonly<Record<string, string>> = {
  "tiers.id":
    "Name by which jobs and rules refer to the tier; tiers stand in order of priority, highest first.",
  "tiers.name": "What people call the tier.",
  "tiers.letter": "Letter on the bars of its jobs.",
  "tiers.kinds": "Kinds of jobs that belong here if they name no tier; absent: none.",
  "tiers.mayPreempt": "Tiers whose jobs its jobs may preempt; absent: every tier below.",
  "tiers.preemptMode": "How its own jobs are preempted; absent: as the policy says.",
  "tiers.graceMs":
    "Time that its jobs have to save when they are preempted; absent: as the policy says.",
  "tiers.guaranteedGpus":
    "GPUs that lower tiers may use only while they can be taken back; absent: none.",
  "tiers.capGpus": "It never uses more GPUs than this at once; absent: no cap.",
  "tiers.targetWaitMs":
    "The wait that its users expect, which the report counts against; absent: none.",
  "tiers.usageFactor":
    "What a device-hour of its jobs counts as past usage, times; absent: 1, and 0 is free.",
  "teams.id": "Name by which jobs and rules refer to the team.",
  "teams.name": "What people call the team; absent: its id.",
  "teams.shares": "Its part of what is shared, against the shares of its neighbours.",
  "teams.parent": "Team above it, for Fair Tree and quotas; absent: none.",
  "teams.quotaGpus": "GPUs that it is entitled to; absent: none of its own.",
  "teams.borrowGpus":
    "GPUs beyond its quota that it may use while others leave them idle; absent: as many as there are.",
  "teams.lendGpus": "GPUs of its quota that others may use; absent: all.",
  "teams.budget":
    "Credits for the auction at the begin and at each refill; absent: they never run out.",
  "limits.per": "Whose use is counted together.",
  "limits.name": "The one user, team or tier that is limited; absent: each has this limit.",
  "limits.gpus": "GPUs that run at the same time; absent: no such limit.",
  "limits.gpuHours": "GPU-hours within the period; absent: no such limit.",
  "limits.periodMs": "Period of the GPU-hours, a window that ends now; absent: the whole run.",
  "limits.jobs": "Jobs that run at the same time; absent: no such limit.",
  "limits.members": "Members (tasks) of jobs that run at the same time; absent: no such limit.",
  "disruptionBudgets.per": "Whose evictions are counted together.",
  "disruptionBudgets.name":
    "The one user, team or tier that is protected; absent: each has this budget.",
  "disruptionBudgets.jobs": "So many jobs are preempted within the period, and no more.",
  "disruptionBudgets.periodMs": "The period, a window that ends now.",
  "pools.id": "Name by which rules and interventions refer to the pool.",
  "pools.nodeGroups": "Groups of nodes that it has; absent: all that no other pool names.",
  "pools.policy.preset": "The scheduler of the pool.",
  "pools.policy.yaml":
    "Objects of Kubernetes under their real names, several documents of YAML in one text, for the presets of that family; absent: none.",
  "pools.policy.settings": "Settings that differ from the preset's defaults.",
  "pools.route.tiers": "Tiers whose jobs go here; absent: all.",
  "pools.route.kinds": "Kinds of jobs that go here; absent: all.",
  "pools.route.queues": "Queues whose jobs go here; absent: all.",
  "pools.route.teams": "Teams whose jobs go here; absent: all.",
};

const EVENTS: Readonly<Record<string, string>> = {
  "failures.of": "What fails, each unit by itself.",
  "failures.nodeGroups": "Groups of nodes in which it happens; absent: all.",
  "failures.mtbfMs": "Mean time between failures of one unit, exponential.",
  "failures.repairMs": "Median time until the unit is back.",
  "failures.repairSpread": "84th percentile ÷ median of repairs: 1 is always the same.",
  "failures.correlated":
    "Part of failures, 0 to 1, that take neighbours along: of a GPU its node, of a node its leaf, of a leaf its spine.",
  "windows.name": "A name of its own, for the Gantt and to end it by.",
  "windows.kind": "Kept for some jobs, or for nobody.",
  "windows.pool": "Pool whose nodes are kept; absent: of every pool.",
  "windows.nodes": "Nodes as a host list; absent: nodeCount of them, or all for maintenance.",
  "windows.nodeCount": "Number of nodes that the scheduler picks; absent: those that are named.",
  "windows.startMs": "Begin, from the start of the run.",
  "windows.durationMs": "From begin to end.",
  "windows.everyMs": "It comes again and again with this period; absent: once.",
  "windows.tiers": "Tiers whose jobs may use it; empty: the other lists decide.",
  "windows.teams": "Teams whose jobs may use it; empty: the other lists decide.",
  "windows.queues": "Queues whose jobs may use it; empty: the other lists decide.",
  "windows.users": "Users whose jobs may use it; empty: the other lists decide.",
  "windows.announcedMs": "The scheduler knows of it from then on; absent: always.",
  "windows.kill": "What runs there when it begins is evicted.",
};

const SERVICES: Readonly<Record<string, string>> = {
  "services.id": "Name of the service; its replicas are jobs id/0, id/1 and so on.",
  "services.name": "What people call it; absent: its id.",
  "services.tier": "Tier of its replicas; absent: that of inference jobs.",
  "services.team": "Team that its replicas count against; absent: none.",
  "services.queue": "Queue of its replicas, for the routing to pools; absent: none.",
  "services.gpusPerReplica": "GPUs of a replica, all on one node.",
  "services.gpuModel": "GPU model that a replica needs; absent: any.",
  "services.minReplicas": "Replicas that are there without demand too, and that nobody preempts.",
  "services.maxReplicas": "Replicas that there are at most, however much is asked.",
  "services.coldStartMs": "From the start of a replica until it serves.",
  "services.concurrency": "Requests that one replica works on at the same time.",
  "services.requestMs": "Mean time of one request.",
  "services.requestCv2":
    "Squared coefficient of variation of request times, a ratio: 0 all alike, 1 exponential.",
  "services.target.percentile": "The part of requests, in percent, that must be fast enough.",
  "services.target.latencyMs": "Latency aimed at, waiting and service together.",
  "services.demand.shape": "How requests come over time.",
  "services.demand.perSec":
    "Requests a second: the mean; of a square wave the low rate, of points what holds before the first.",
  "services.demand.swing": "Of a daily wave: part of the mean by which it rises and falls, 0 to 1.",
  "services.demand.highPerSec":
    "Of a square wave: requests a second for half of each period; absent: there is no high half.",
  "services.demand.periodMs": "Of a wave: from peak to peak.",
  "services.demand.peakMs": "Of a wave: time of day of the peak.",
  "services.demand.points.atMs": "Time from which on this rate holds.",
  "services.demand.points.perSec": "Requests a second from then on.",
  "services.demand.stepMs": "A daily wave changes in steps of this length.",
  "services.autoscale.metric": "What the number of replicas follows; fixed: always the least.",
  "services.autoscale.target": "Utilization aimed at, a part from 0 to 1.",
  "services.autoscale.everyMs": "Time between two looks of the autoscaler.",
  "services.autoscale.downDelayMs": "No step down for so long after the highest wish.",
  "services.autoscale.upDelayMs": "A step up only after the wish has lasted so long.",
  "services.autoscale.tolerance": "No change while the wish differs by less than this part.",
  "services.autoscale.catchUpMs":
    "Requests that have piled up count as demand, worked off in so long; absent: only what arrives counts.",
  "fleet.serving": "Pool with the services.",
  "fleet.batch": "Pool with the batch queue.",
  "fleet.everyMs": "Time between two decisions.",
  "fleet.servingMin": "Nodes that serving keeps.",
  "fleet.batchMin": "Nodes that batch keeps.",
  "fleet.upAfterMs": "A node goes to serving when its services have lacked devices for so long.",
  "fleet.downAfterMs":
    "A node goes back when serving could do without it, and batch queues, for so long; with both 0 there is no hysteresis.",
  "fleet.queueAbove":
    "A node goes back only while the batch queue waits for more devices than these.",
  "fleet.spare":
    "A node goes back only if serving stays below this utilization without it, a part from 0 to 1.",
  "fleet.nodesAtOnce": "Nodes that are on their way at the same time.",
  "fleet.handOverMs": "Cleaning, reboot, image: a node is in neither pool so long.",
};

/** Sentence by field. */
export const FIELD_SENTENCES: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...RUN, ...CLUSTER, ...TENANCY, ...EVENTS, ...SERVICES, ...JOB_SENTENCES }),
);
