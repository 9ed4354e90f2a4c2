/** What is wrong with edited rules, told a moment after the last key: reading a document of many jobs takes longer than a frame. */
import { useEffect, useState } from "react";
import type { JsonObject } from "../../base/json.ts";
import type { Problem } from "../../base/problem.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { checkedRules } from "./rulesDraft.ts";

const REST_MS = 150;

export interface RulesCheck {
  readonly problems: readonly Problem[];
  /** The document with these rules, or with the last ones that could be read. */
  readonly read: Scenario;
}

export function useRulesCheck(scenario: Scenario, rules: JsonObject): RulesCheck {
  const [check, setCheck] = useState<RulesCheck>({ problems: [], read: scenario });
  useEffect(() => {
    const timer = setTimeout(() => {
      const result = checkedRules(scenario, rules);
      setCheck((before) =>
        result.ok
          ? { problems: [], read: result.value }
          : { problems: result.error, read: before.read },
      );
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [scenario, rules]);
  return check;
}
