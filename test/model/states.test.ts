import { expect, test } from "vitest";
import { WAIT_REASONS, WaitReasonCode } from "../../src/model/reasons.ts";
import {
  END_STATES,
  EndStateCode,
  MEMBER_STATES,
  MemberStateCode,
  NODE_STATES,
  NodeStateCode,
} from "../../src/model/states.ts";
import { DECISION_KINDS, DecisionKindCode } from "../../src/record/shapes.ts";

test.each([
  ["end states", END_STATES, EndStateCode],
  ["member states", MEMBER_STATES, MemberStateCode],
  ["node states", NODE_STATES, NodeStateCode],
  ["wait reasons", WAIT_REASONS, WaitReasonCode],
  ["decisions", DECISION_KINDS, DecisionKindCode],
] as const)(
  "the code of each of the %s is its place in the list that names them",
  (_, names, codes) => {
    expect(Object.keys(codes)).toEqual([...names]);
    expect(Object.values(codes)).toEqual(names.map((_name, place) => place));
  },
);
