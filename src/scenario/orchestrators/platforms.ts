/**
 * Commercial platforms as cards, not as schedulers: what their public documentation says about scheduling, which preset comes closest, and what nobody outside knows. Nothing here is guessed; where nothing was
 * found, the card says so.
 */
import type { Settings } from "../../model/policy.ts";
import type { Source } from "./cell.ts";

export interface Platform {
  readonly id: string;
  readonly name: string;
  readonly documented: readonly string[];
  readonly unknown: readonly string[];
  /** Null: none does, or too little is known. */
  readonly closest: {
    readonly preset: string;
    readonly settings?: Settings;
    /** What the button says. */
    readonly label: string;
    readonly why: string;
  } | null;
  readonly sources: readonly Source[];
}

export const PLATFORMS: readonly Platform[] = [
  {
    id: "wandb",
    name: "W&B Launch",
    documented: [
      "A queue is first in, first out; priorities can be switched on for it, and higher ones are then taken first.",
      "Agents poll queues and keep so many jobs running at a time: one, unless --max-jobs says more.",
      "Where a job runs is up to the target of its queue: Kubernetes, SageMaker, Vertex AI, Docker.",
    ],
    unknown: [
      "Whether a job of high priority can stop one that runs.",
      "There is no word of shares between teams, or of a choice of nodes.",
    ],
    closest: {
      preset: "lab",
      settings: { order: "fcfs", backfill: "none" },
      label: "Policy lab, first come first served",
      why: "The queue in its order. Its limit of jobs per agent can be set as a limit in the rules of the scenario; what the target does with a job is another scheduler’s affair.",
    },
    sources: [
      { name: "Set up Launch", link: "https://docs.wandb.ai/platform/launch/set-up-launch" },
      { name: "wandb launch-agent", link: "https://docs.wandb.ai/ref/cli/wandb-launch-agent" },
    ],
  },
  {
    id: "domino",
    name: "Domino Data Lab",
    documented: [
      "A hardware tier names cores, memory, GPUs and a pool of nodes; Kubernetes places the pods.",
      "Above a number of executions a user’s further ones are queued; above a limit of the queue they are refused.",
      "The sizes of the platform itself are meant for 300, 600 or 1,000 executions at a time.",
    ],
    unknown: [
      "In which order queued executions of different users start.",
      "Whether anything is ever stopped for something more important.",
    ],
    closest: {
      preset: "kube-scheduler",
      label: "kube-scheduler",
      why: "It places the pods. Numbers of executions per user can be set as limits in the rules of the scenario.",
    },
    sources: [
      {
        name: "User executions quota",
        link: "https://docs.dominodatalab.com/en/5.7/admin_guide/526762/user-executions-quota",
      },
      {
        name: "Execution queue limits",
        link: "https://docs.dominodatalab.com/en/latest/admin_guide/fa4fa3/execution-queue-limits",
      },
      {
        name: "Size the platform",
        link: "https://docs.dominodatalab.com/en/latest/admin_guide/a3ed46/size-the-domino-platform/",
      },
    ],
  },
  {
    id: "anyscale",
    name: "Anyscale",
    documented: [
      "Job queues: several jobs share a cluster, first in first out, last in first out or by priority, so many at a time.",
      "Machine pools (beta): the global resource scheduler ranks requests by rules, hands out machines, takes them from lower ones, or queues. A part can be kept for development that production uses while it is idle.",
      "The Anyscale scheduler (its command line and SDK are in alpha): resource flavors, queues with nominal quota, preemption of lower priority inside a queue, rules in order. Its documentation calls it modelled after Kueue. A workload that matches no flavor is rejected.",
    ],
    unknown: [
      "How ties of equal rank are broken, and how long an evicted workload has to end.",
      "Whether quota can be lent along a tree, as Kueue’s cohorts do.",
    ],
    closest: {
      preset: "kueue",
      label: "Kueue",
      why: "For the Anyscale scheduler, which takes its objects from there. Inside one cluster it is Ray that places tasks and actors.",
    },
    sources: [
      { name: "Anyscale scheduler", link: "https://docs.anyscale.com/admin/scheduler" },
      {
        name: "Global resource scheduler",
        link: "https://docs.anyscale.com/machine-pools/global-resource-scheduler",
      },
      { name: "Job queues", link: "https://docs.anyscale.com/canary/platform/jobs/job-queues" },
    ],
  },
  {
    id: "sivaro",
    name: "SIVARO",
    documented: [],
    unknown: ["All of it: no public documentation of its scheduling was found."],
    closest: null,
    sources: [],
  },
  {
    id: "runai",
    name: "NVIDIA Run:ai",
    documented: [
      "Projects and departments have quota; who is above it shares what is left by weight and gives it back when its owner wants it.",
      "Priority orders the workloads of a project and says which of them can be preempted. Groups of pods start together.",
      "Its scheduler was published as KAI Scheduler, which this page has as a preset.",
    ],
    unknown: [
      "Which version of the open scheduler a release of the product contains, and what it adds to it.",
    ],
    closest: {
      preset: "kai",
      label: "KAI Scheduler",
      why: "The open form of its scheduler: projects are queues, departments their parents.",
    },
    sources: [
      {
        name: "How the scheduler works",
        link: "https://docs.nvidia.com/run-ai/self-hosted/documentation/platform-management/runai-scheduler/scheduling/how-the-scheduler-works",
      },
      { name: "KAI Scheduler", link: "https://github.com/kai-scheduler/KAI-Scheduler" },
    ],
  },
  {
    id: "runpod",
    name: "Runpod",
    documented: [
      "Serverless endpoints add workers when requests wait too long in the queue, or by their number; none is kept by default, three are the most, and an idle one goes after five seconds.",
      "An endpoint names up to three types of GPU in order of preference.",
      "Pods are rented one by one; there are managed Slurm clusters.",
    ],
    unknown: [
      "Who gets the next GPU when all of a type are rented.",
      "How a worker’s machine is chosen.",
    ],
    closest: {
      preset: "slurm",
      label: "Slurm",
      why: "For its Slurm clusters. An endpoint is a service of the scenario with an autoscaler (library: services), whatever the scheduler.",
    },
    sources: [
      {
        name: "Endpoint settings",
        link: "https://docs.runpod.io/serverless/endpoints/endpoint-configurations",
      },
      { name: "Slurm clusters", link: "https://docs.runpod.io/instant-clusters/slurm-clusters" },
    ],
  },
  {
    id: "lambda",
    name: "Lambda",
    documented: [
      "Instances on demand, and reserved clusters that come with Slurm or with Kubernetes.",
    ],
    unknown: [
      "No policy of its own was found: neither who gets an instance when few are left, nor how its clusters are configured.",
    ],
    closest: {
      preset: "slurm",
      label: "Slurm",
      why: "For a cluster that runs it; kube-scheduler for one with Kubernetes.",
    },
    sources: [{ name: "Lambda documentation", link: "https://docs.lambda.ai/" }],
  },
  {
    id: "nutanix",
    name: "Nutanix (Karbon, NKE, NKP)",
    documented: [
      "Karbon is no scheduler: it creates, upgrades and removes Kubernetes clusters on Nutanix. It was renamed Nutanix Kubernetes Engine; Nutanix Kubernetes Platform takes its place.",
      "Inside such a cluster runs the stock kube-scheduler.",
    ],
    unknown: [],
    closest: {
      preset: "kube-scheduler",
      label: "kube-scheduler",
      why: "It is the stock kube-scheduler, unless somebody installs another one.",
    },
    sources: [
      {
        name: "Nutanix Bible: Nutanix Kubernetes Engine",
        link: "https://www.nutanixbible.com/18a-book-of-cloud-native-services-nutanix-kubernetes-engine.html",
      },
    ],
  },
];
