/** Kueue's admission: shares, preemption, flavors, cycles and tournaments, as its rules give them. */

import { classicVictims } from "../../scheduling/kubernetes/kueue/classicPreemption.ts";
import { type Head, runCycle } from "../../scheduling/kubernetes/kueue/cycle.ts";
import {
  fairVictims,
  SHARE_RULES,
  type ShareRule,
} from "../../scheduling/kubernetes/kueue/fairPreemption.ts";
import {
  chooseFlavor,
  FUNGIBILITY,
  type Fungibility,
  type Trial,
} from "../../scheduling/kubernetes/kueue/flavors.ts";
import {
  borrowLevel,
  charge,
  chargeAll,
  fitsEver,
  fitsNow,
} from "../../scheduling/kubernetes/kueue/quotaTree.ts";
import { shareOf, shareValue } from "../../scheduling/kubernetes/kueue/share.ts";
import { nextHead } from "../../scheduling/kubernetes/kueue/tournament.ts";
import type { Workload } from "../../scheduling/kubernetes/kueue/workloads.ts";
import {
  type KueueState,
  kueueState,
  type QueueInput,
  type StateInput,
  type WorkloadInput,
} from "./kueueState.ts";
import type { VectorCheck } from "./schedVectors.ts";
import type { Named } from "./vectorAmounts.ts";

export const kueueShare: VectorCheck = (input) => {
  const asked = input as unknown as StateInput & { readonly ask: readonly string[] };
  const { tree, usage, resources, nodeOf } = kueueState(asked, []);
  const shares = asked.ask.map((name) => {
    const share = shareOf(tree, usage, nodeOf(name));
    const value = shareValue(share);
    return [
      name,
      {
        share: value === Number.POSITIVE_INFINITY ? "inf" : value,
        borrowing: share.borrowing,
        dominant: resources[share.resource] ?? "",
      },
    ] as const;
  });
  return { shares: Object.fromEntries(shares) };
};

interface PreemptInput extends StateInput {
  readonly algorithm: "classic" | "fair";
  readonly strategies?: readonly ShareRule[];
  readonly incoming: WorkloadInput;
}

export const kueuePreempt: VectorCheck = (input) => {
  const asked = input as unknown as PreemptInput;
  const { tree, usage, admitted, workloadOf, rulesOf } = kueueState(asked, asked.incoming.usage);
  const incoming = workloadOf(asked.incoming);
  const question = {
    tree,
    usage,
    admitted,
    incoming,
    rules: rulesOf(asked.incoming.queue),
    contested: incoming.amounts.map(({ cell }) => cell),
  };
  const victims =
    asked.algorithm === "fair"
      ? fairVictims(question, asked.strategies ?? SHARE_RULES)
      : classicVictims(question);
  return { victims: victims.map(({ workload, reason }) => ({ name: workload.name, reason })) };
};

interface FlavorInput extends StateInput {
  readonly clusterQueues: readonly (QueueInput & {
    readonly flavorFungibility?: Partial<Fungibility>;
  })[];
  readonly flavorOrder: readonly string[];
  readonly incoming: { readonly queue: string; readonly requests: Named };
  readonly usage: readonly {
    readonly queue: string;
    readonly flavor: string;
    readonly resource: string;
    readonly amount: number;
  }[];
  readonly preemptionOracle?: readonly {
    readonly flavor: string;
    readonly resource: string;
    readonly mode: Trial["mode"];
    readonly borrow?: number;
  }[];
  readonly fairSharing?: boolean;
}

export const kueueFlavor: VectorCheck = (input) => {
  const asked = input as unknown as FlavorInput;
  const { flavorOrder, incoming, preemptionOracle = [], fairSharing = false } = asked;
  const requests = Object.entries(incoming.requests).filter(([, amount]) => amount > 0);
  const wanted = flavorOrder.flatMap((flavor) =>
    requests.map(([resource, amount]) => ({ flavor, resource, amount })),
  );
  const { tree, usage, nodeOf, cellOf, rulesOf } = kueueState(asked, [...wanted, ...asked.usage]);
  for (const { queue, flavor, resource, amount } of asked.usage)
    charge(tree, usage, nodeOf(queue), cellOf(flavor, resource), amount);
  const trials = new Map(
    preemptionOracle.map(({ flavor, resource, mode, borrow = 0 }) => {
      return [cellOf(flavor, resource), { mode, borrow }] as const;
    }),
  );
  const queue = nodeOf(incoming.queue);
  const choice = chooseFlavor(
    {
      tree,
      usage,
      queue,
      rules: rulesOf(incoming.queue),
      fungibility: { ...FUNGIBILITY, ...asked.clusterQueues[queue]!.flavorFungibility },
      fairSharing,
    },
    flavorOrder.map((flavor) =>
      requests.map(([resource, amount]) => ({ cell: cellOf(flavor, resource), amount })),
    ),
    (cell) => trials.get(cell) ?? { mode: "preempt", borrow: 0 },
  );
  return { flavor: flavorOrder[choice.flavorIdx] ?? null, mode: choice.mode };
};

interface HeadsInput extends StateInput {
  readonly heads: readonly WorkloadInput[];
}

export const kueueCycle: VectorCheck = (input) => {
  const asked = input as unknown as HeadsInput;
  const state = kueueState(
    asked,
    asked.heads.flatMap(({ usage }) => usage),
  );
  const heads = asked.heads.map((one) => headOf(state, one));
  const outcomes = runCycle(state.tree, state.usage, heads);
  const names = (admitted: boolean) =>
    outcomes
      .filter(({ outcome }) => (outcome === "admitted") === admitted)
      .map(({ workload }) => workload.name);
  return { admitted: names(true), pending: names(false) };
};

/** What the vectors say of heads: nobody is evicted, and what does not fit now but could ever is in preempt mode. */
function headOf({ tree, usage, workloadOf, rulesOf }: KueueState, input: WorkloadInput): Head {
  const workload = workloadOf(input);
  const { queue, amounts } = workload;
  const possible = fitsEver(tree, queue, amounts) ? "Preempt" : "NoFit";
  const levels = amounts.map(
    ({ cell, amount }) => borrowLevel(tree, usage, queue, cell, amount).height,
  );
  return {
    workload,
    mode: fitsNow(tree, usage, queue, amounts) ? "Fit" : possible,
    borrowLevel: Math.max(0, ...levels),
    holdsQuota: false,
    victims: [],
    rules: rulesOf(input.queue),
  };
}

export const kueueTournament: VectorCheck = (input) => {
  const asked = input as unknown as HeadsInput;
  const { tree, usage, workloadOf } = kueueState(
    asked,
    asked.heads.flatMap((head) => head.usage),
  );
  let left: readonly Workload[] = asked.heads.map(workloadOf);
  const order: string[] = [];
  const admitted: string[] = [];
  for (let head = nextHead(tree, usage, left); head; head = nextHead(tree, usage, left)) {
    const { name, queue, amounts } = head;
    order.push(name);
    if (fitsNow(tree, usage, queue, amounts)) {
      chargeAll(tree, usage, queue, amounts);
      admitted.push(name);
    }
    left = left.filter((one) => one !== head);
  }
  return { order, admitted };
};
