/** Sentences of the fields of jobs and of classes of drawn jobs (`fieldSentences.ts`). What both have is said once, under `jobs`. */

const SIZE: Readonly<Record<string, string>> = {
  "jobs.id": "Name by which other jobs and interventions refer to it.",
  "jobs.name": "What people call it; absent: its id.",
  "jobs.submitMs": "When it is submitted, from the start of the run.",
  "jobs.gpus": "GPUs in total, wherever they are; absent: the size is given otherwise.",
  "jobs.nodes":
    "Nodes of its own that it takes; absent: as many as its GPUs need, where gpusPerNode is given.",
  "jobs.gpusPerNode":
    "GPUs on each of its nodes; absent: all that the largest node has, where nodes is given.",
  "jobs.components.members": "Members (tasks) of this component.",
  "jobs.components.minMembers": "Members without which nothing progresses; absent: all.",
  "jobs.components.gpusPerMember": "GPUs of each member, all on one node.",
  "jobs.components.gpuShareMilli":
    "Share of one GPU in 1/1,000 for each member; absent: whole GPUs.",
  "jobs.components.migProfile": "MIG profile of each member; absent: whole GPUs.",
  "jobs.components.gpuModel": "GPU model that the members need; absent: any.",
  "jobs.components.cpusPerMember": "CPUs of each member.",
  "jobs.components.memGiBPerMember": "Memory of each member, GiB.",
  "jobs.components.ownNode": "Each member is on a node of its own.",
  "jobs.cpusPerGpu": "CPUs beside each GPU; absent: none.",
  "jobs.memGiBPerGpu": "Memory beside each GPU, GiB; absent: none.",
  "jobs.workMs": "Run time at reference speed.",
  "jobs.limitMs": "Time limit; absent: none.",
  "jobs.kubernetes.minMember":
    "Members without which Volcano or KAI starts nothing; absent: the minimum members of its components.",
  "jobs.kubernetes.minCount":
    "Members with which Kueue may admit it where quota does not hold all; absent: all.",
  "jobs.kubernetes.preemptionPolicy":
    "Never: its pods evict nobody; absent: as its PriorityClass says.",
  "jobs.kubernetes.safeToEvict":
    "No: Cluster Autoscaler takes no node away under its pods (annotation cluster-autoscaler.kubernetes.io/safe-to-evict); absent: it may.",
  "jobs.kubernetes.terminationGraceMs":
    "Its evicted pods have so long to end; absent: as the policy says.",
  "jobs.kubernetes.labels":
    "Labels of its pods, for the selectors of disruption budgets; absent: none.",
  "jobs.kubernetes.topology.mode":
    "Whether its pods must be in one domain of the level, should be, or need not.",
  "jobs.kubernetes.topology.level": "Node label of that level; absent: none, with unconstrained.",
  "jobs.kubernetes.topology.sliceSize": "Members that must share a domain of the slice level.",
  "jobs.kubernetes.topology.sliceLevel": "Node label of the slice level; absent: the level.",
  "jobs.ray.kind":
    "What its members are to Ray: tasks, actors, or bundles of one placement group; absent: bundles where a gang has several members, actors where it serves, else tasks.",
  "jobs.ray.strategy":
    "How Ray places the bundles of a placement group; absent: STRICT_SPREAD where members have nodes of their own, else PACK.",
  "jobs.ray.scheduling": "How Ray places tasks and actors; absent: its default policy.",
  "jobs.ray.node": "Node affinity under Ray: the name of a node; absent: any node.",
  "jobs.ray.soft":
    "With node affinity: another node will do where that one is not there or too small; absent: it waits, or fails.",
  "jobs.ray.maxRetries":
    "How many times Ray tries tasks again after a node failed; −1: for ever; absent: 3.",
  "jobs.ray.maxRestarts":
    "How many times Ray starts actors, and what runs in a placement group, again; −1: for ever; absent: 0.",
  "jobs.beginMs": "It does not start before; absent: from submission.",
  "jobs.stages":
    "It comes as so many jobs, each after the last, the work shared evenly; absent: one.",
};

const OWNER: Readonly<Record<string, string>> = {
  "jobs.tier": "Its tier; absent: that of its kind, else the standard one.",
  "jobs.team": "Its team; absent: none.",
  "jobs.user": "Its user; absent: nobody.",
  "jobs.queue": "Its queue, for routing, windows and shares; absent: none.",
  "jobs.kind": "What sort of job it is: tiers and pools may go by it.",
  "jobs.preemptible": "It may be preempted.",
  "jobs.gang": "All members start together; otherwise each takes what it finds and holds it.",
  "jobs.within":
    "It waits until one leaf, or one NVSwitch domain, holds all of it; absent: anywhere.",
  "jobs.after.job": "The job or array that it waits for.",
  "jobs.after.kind": "What of that job it waits for: its start, or its end and how it ended.",
  "jobs.after.delayMs": "With kind after: so long after the start.",
  "jobs.after.each": "Of arrays of the same size: task k waits for task k only.",
  "jobs.afterAnyOf": "One met dependency is enough.",
  "jobs.singleton": "It starts only after all earlier jobs of its name and user have ended.",
  "jobs.array.count": "Number of copies of this job.",
  "jobs.array.indices": "Numbers of the copies; absent: from 0 on.",
  "jobs.array.atOnce": "Tasks of the array that run at the same time at most; absent: all.",
  "jobs.fails": "Its work ends with an error.",
};

const LIFE: Readonly<Record<string, string>> = {
  "jobs.startupMs": "Image pull and container start before each run; absent: none.",
  "jobs.checkpoint.every":
    "Run time (ms) between the end of one checkpoint and the begin of the next; young and daly derive it from cost and failure rate.",
  "jobs.checkpoint.costMs": "Pause while it is written, where no bandwidth is modelled.",
  "jobs.checkpoint.sizeGiB":
    "With cluster.storage, what is written at the bandwidth that all writers share; absent: costMs counts.",
  "jobs.checkpoint.location":
    "On the shared filesystem, to restart anywhere, or on the node: only there it goes on, and it is lost with it.",
  "jobs.checkpoint.restoreMs": "Reading the state back before work goes on.",
  "jobs.checkpoint.onSignal": "It saves when it is told to stop, if the grace is long enough.",
  "jobs.elastic.minMembers": "Members below which it waits.",
  "jobs.elastic.maxMembers": "Members beyond which it never grows.",
  "jobs.elastic.allowed": "Allowed numbers of members; absent: all from least to most.",
  "jobs.elastic.deepspeed.microBatches": "DeepSpeed's rule: samples that a GPU can take at a time.",
  "jobs.elastic.deepspeed.maxBatch": "DeepSpeed's rule: samples of a batch at most.",
  "jobs.elastic.restart":
    "What a change of members costs: as torchrun or Horovod restart, or nothing.",
  "jobs.elastic.rendezvousMs": "Pause to form a group again.",
  "jobs.elastic.maxRestarts": "With torchrun: restarts by failure that it survives, times.",
  "jobs.elastic.scaling":
    "Part of linear speed-up that stays with each doubling of the members: 1 is linear.",
  "jobs.elastic.throughput.members": "Number of members whose speed was measured.",
  "jobs.elastic.throughput.speed":
    "Speed with so many members, relative to those that it asks for; between points a straight line.",
  "jobs.session.activeMs": "Time for which the session is used; then it is idle.",
  "jobs.session.idleTimeoutMs":
    "It is ended after being idle so long; absent: it stays to its time limit.",
  "jobs.deadlineInMs": "It should be done so long after submission; absent: no deadline.",
  "jobs.bid":
    "Credits that it offers for one GPU-hour in an auction; absent: 0, and where unused quota is cleared the policy's.",
  "jobs.priority":
    "A number without unit: the larger goes first where the order asks for it; absent: 0.",
  "jobs.traffic.model":
    "A model that was measured, in place of stepMs and allReduceGiB; absent: the numbers count.",
  "jobs.traffic.stepMs": "Computing in one step; absent: the model says it.",
  "jobs.traffic.allReduceGiB":
    "What each member puts into the all-reduce of a step; absent: the model says it.",
  "jobs.traffic.algorithm": "Algorithm of the all-reduce.",
  "jobs.traffic.order":
    "Order of the members: ranked leaves each node once; random is, at worst, each next to one elsewhere.",
  "jobs.traffic.overlap": "Part of the communication that hides behind computing, 0 to 1.",
  "jobs.collectiveTimeoutMs":
    "A gang that has lost members hangs so long, then fails; absent: it is queued again at once.",
  "jobs.hangsOnEndMs":
    "Told to end, it holds its devices so much longer than its grace; absent: it ends in time.",
  "jobs.requeueAtLimit":
    "At its time limit it is queued again and goes on from what is saved; absent: it ends.",
  "jobs.maxEvictions": "It may be evicted so many times; absent: no limit.",
  "jobs.exclusive": "Nobody else runs on its nodes; absent: others may.",
  "jobs.labels": "Labels that its nodes must have; absent: none.",
  "jobs.gpuModels.model": "A GPU model that will do.",
  "jobs.gpuModels.speed": "Its speed on that model: 1 is as workMs says.",
  "jobs.remoteNumaSpeed":
    "Speed of the whole job, a part of 1, when a member's GPUs lie in different NUMA domains, which stands for data that loads more slowly; absent: 1, no matter.",
};

const DRAWN: Readonly<Record<string, string>> = {
  "synthetic.id": "Name of the class; its jobs are called after it.",
  "synthetic.arrivals.perHour": "Mean jobs an hour over the whole time.",
  "synthetic.arrivals.pattern":
    "How submissions come: evenly at random, by day and night, or in bursts.",
  "synthetic.arrivals.dayNight": "By day and night: how far both differ, a part from 0 to 1.",
  "synthetic.arrivals.peakHour":
    "By day and night: hour of the calendar's day with most submissions.",
  "synthetic.arrivals.weekend": "Rate at weekends, as a part of that of weekdays.",
  "synthetic.arrivals.burstJobs": "In bursts: mean jobs of one.",
  "synthetic.arrivals.burstMs": "In bursts: time within which all jobs of one are submitted.",
  "synthetic.fromMs": "When the class starts to submit.",
  "synthetic.untilMs": "When the class stops to submit; absent: at the horizon.",
  "synthetic.gpus.value": "A number of GPUs.",
  "synthetic.gpus.weight": "How often it is drawn, as a part of all weights.",
  "synthetic.wholeNodesFrom": "From this many GPUs on, jobs ask for whole nodes; absent: never.",
  "synthetic.work.shape": "Distribution of run times.",
  "synthetic.work.medianMs": "Median run time.",
  "synthetic.work.spread": "84th percentile ÷ median of run times, where log-normal.",
  "synthetic.work.leastMs": "No run time is shorter.",
  "synthetic.work.mostMs": "No run time is longer.",
  "synthetic.limitFactor":
    "Time limit ÷ run time, drawn evenly from this range, rounded up to 10 minutes.",
  "synthetic.teams.value": "A team.",
  "synthetic.teams.weight": "How often it is drawn, as a part of all weights.",
  "synthetic.users": "Number of users that the jobs are spread over.",
  "synthetic.names": "Names that are drawn for the jobs; empty: they are called after the class.",
  "trace.name": "What people call the file.",
  "trace.format": "Format of the file.",
  "trace.sha256": "SHA-256 of its content, by which it is known again.",
  "trace.bytes": "Its size in bytes.",
  "trace.fromMs": "Only jobs submitted from then on; absent: from the begin.",
  "trace.untilMs": "Only jobs submitted before; absent: to the end.",
  "trace.layout": "How GPUs that a log gives as one number are asked for: by nodes, or anywhere.",
};

export const JOB_SENTENCES: Readonly<Record<string, string>> = {
  ...SIZE,
  ...OWNER,
  ...LIFE,
  ...DRAWN,
};
