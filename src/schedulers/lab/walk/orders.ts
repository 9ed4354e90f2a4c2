/** The orders of the walk, by the value of the setting `order`. A rule of `scheduling/ordering` is wrapped, so that the walk's bounds reach it. */

import { keyedOrder } from "../../../scheduling/ordering/keyedOrder.ts";
import { laneOrder } from "../../../scheduling/ordering/laneOrder.ts";
import type { OrderRule } from "../../../scheduling/ordering/orderRule.ts";
import { STATIC_ORDERS, staticOrder } from "../../../scheduling/ordering/staticOrder.ts";
import { gavelRule } from "../../../scheduling/sharing/gavelRule.ts";
import { drfRule, maxMinRule } from "../../../scheduling/sharing/heldRules.ts";
import {
  leastAttainedRule,
  themisRule,
  tiresiasRule,
} from "../../../scheduling/sharing/jobRules.ts";
import { multifactorRule } from "../../../scheduling/sharing/multifactorRule.ts";
import {
  fairShareRule,
  fairTreeRule,
  leastUsageRule,
} from "../../../scheduling/sharing/usageRules.ts";
import type { OrderPart } from "./parts.ts";

/** An order as the walk asks for it, with what preemption may know of shares. */
export interface WalkOrder extends OrderPart<unknown> {
  readonly overShare?: OrderRule<unknown>["overShare"];
  readonly shares?: OrderRule<unknown>["shares"];
  readonly terms?: OrderRule<unknown>["terms"];
  readonly rest?: OrderRule<unknown>["rest"];
  readonly placeOf?: OrderRule<unknown>["placeOf"];
}

/** `fixed`: two waiting jobs never change places by time or by what others use. */
function orderPart<S>(rule: OrderRule<S>, fixed: boolean): WalkOrder {
  const any = rule as OrderRule<unknown>;
  return {
    create: any.create,
    copy: any.copy,
    hooks: any.hooks,
    begin: any.begin,
    next: (state, view, within) =>
      any.next(state, view, within.needMost, within.limitMostMs, within.longNeedMost),
    isBefore: any.isBefore,
    priority: any.priority,
    length: any.length,
    fixed,
    ...(any.first ? { first: any.first } : {}),
    ...(any.second ? { second: any.second } : {}),
    ...(any.overShare ? { overShare: any.overShare } : {}),
    ...(any.shares ? { shares: any.shares } : {}),
    ...(any.terms ? { terms: any.terms } : {}),
    ...(any.rest ? { rest: any.rest } : {}),
    ...(any.placeOf ? { placeOf: any.placeOf } : {}),
  };
}

export const ORDERS: ReadonlyMap<string, WalkOrder> = new Map([
  ...STATIC_ORDERS.map((order): [string, WalkOrder] => [order, orderPart(staticOrder, true)]),
  ["fairShare", orderPart(laneOrder(fairShareRule), false)],
  ["fairTree", orderPart(laneOrder(fairTreeRule), false)],
  ["leastUsage", orderPart(laneOrder(leastUsageRule), false)],
  ["drf", orderPart(laneOrder(drfRule), false)],
  ["maxMin", orderPart(laneOrder(maxMinRule), false)],
  ["multifactor", orderPart(keyedOrder(multifactorRule), false)],
  ["leastAttained", orderPart(keyedOrder(leastAttainedRule), false)],
  ["tiresias", orderPart(keyedOrder(tiresiasRule), false)],
  ["themis", orderPart(keyedOrder(themisRule), false)],
  ["gavel", orderPart(keyedOrder(gavelRule), false)],
]);
