/**
 * What it takes to run each orchestrator: a judgement of ours, not a measurement, with the page of its documentation that it leans on. It counts what has to be installed, described and kept alive beside the
 * cluster itself.
 */
import type { ColumnId, Source } from "./cell.ts";

export interface Operation {
  readonly judgement: "none" | "little" | "some" | "much";
  readonly why: string;
  readonly source: Source | null;
}

export const OPERATION: Readonly<Record<ColumnId, Operation>> = {
  easy: { judgement: "none", why: "A model of this page, nothing to install.", source: null },
  slurm: {
    judgement: "much",
    why: "A daemon on every node, the same users and keys on all of them, a controller with a stand-by, a database for accounts.",
    source: {
      name: "Slurm: quick start for administrators",
      link: "https://slurm.schedmd.com/quickstart_admin.html",
    },
  },
  "kube-scheduler": {
    judgement: "little",
    why: "It comes with every Kubernetes cluster; one file if its scores are to differ.",
    source: {
      name: "Kubernetes: kube-scheduler",
      link: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
    },
  },
  kueue: {
    judgement: "some",
    why: "One controller with webhooks beside the stock scheduler; quota has to be described, and kept equal to what the nodes have.",
    source: { name: "Kueue: installation", link: "https://kueue.sigs.k8s.io/docs/installation/" },
  },
  volcano: {
    judgement: "some",
    why: "A scheduler, a controller and an admission webhook; jobs have to name the scheduler, and both schedulers must not share nodes carelessly.",
    source: { name: "Volcano: architecture", link: "https://volcano.sh/en/docs/architecture/" },
  },
  kai: {
    judgement: "some",
    why: "A scheduler with its own binder, pod grouper and controllers; a queue without a limit may use nothing, so all of them have to be described.",
    source: {
      name: "KAI Scheduler",
      link: "https://github.com/kai-scheduler/KAI-Scheduler",
    },
  },
  ray: {
    judgement: "some",
    why: "A head for each cluster, lost with all its work unless its state is kept elsewhere; something below has to provide the nodes.",
    source: {
      name: "Ray: GCS fault tolerance",
      link: "https://docs.ray.io/en/latest/ray-core/fault_tolerance/gcs.html",
    },
  },
};
