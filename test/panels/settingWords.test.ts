/** What a change of a policy is called before it is applied. */
import { expect, test } from "vitest";
import { settingChanges } from "../../src/panels/inspector/policy/settingWords.ts";

const policy = (yaml: string) => ({ preset: "kube-scheduler", settings: {}, yaml });
const change = (was: string, now: string) => settingChanges(policy(was), policy(now));
/** With an anchor, which only the real parser reads: no field is told of it. */
const TEXT = "kind: &a A\nlow: 20\nhigh: 50\n---\nkind: B\n";

test.each([
  ["a value", TEXT.replace("50", "80"), "YAML, line 3", "high: 50", "high: 80"],
  ["a digit more", TEXT.replace("50", "500"), "YAML, line 3", "high: 50", "high: 500"],
  ["letters before a line", TEXT.replace("high", "nhigh"), "YAML, line 3", "high: 50", "nhigh: 50"],
  ["a line more", TEXT.replace("high", "mid: 30\nhigh"), "YAML, line 3", "no line", "mid: 30"],
  ["a line less", TEXT.replace("low: 20\n", ""), "YAML, line 2", "low: 20", "no line"],
  [
    "several lines",
    TEXT.replace("low: 20\nhigh: 50", "low: 1\nhigh: 2"),
    "YAML, line 2",
    "2 lines",
    "2 lines",
  ],
  ["the end", `${TEXT}size: 1\n`, "YAML, line 6", "no line", "size: 1"],
  ["all of it", "", "YAML", "5 lines", "none"],
])(
  "YAML that differs in %s is told by its lines where no field can be",
  (_, now, label, from, to) => {
    const told = change(TEXT, now).map((each) => ({
      ...each,
      from: each.from.replaceAll("\u00a0", " "),
      to: each.to.replaceAll("\u00a0", " "),
    }));
    expect(told).toEqual([{ label, from, to }]);
  },
);
