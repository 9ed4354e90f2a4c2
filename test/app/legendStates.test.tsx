/** What the legend says of stripes. */
import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { LegendStates } from "../../src/app/LegendStates.tsx";
import { useApp } from "../../src/store/store.ts";
import { Occurs } from "../../src/timeline/occurs.ts";
import { mustRead } from "../scenario/scenarios.ts";

const textUnder = (preset: string, later: string) => {
  useApp.setState({
    scenario: mustRead({
      version: 1,
      cluster: { nodeGroups: [{ id: "n", count: 1, gpus: 4 }] },
      pools: [{ id: "all", policy: { preset } }],
      interventions: [{ kind: "policy", atMs: 10, policy: { preset: later } }],
    }),
  });
  const { container } = render(<LegendStates occurs={Occurs.admitted} />);
  return container.textContent;
};

test("only where some policy is an admission layer are there lanes of who is admitted", () => {
  expect(textUnder("kube-scheduler", "lab")).toBe("");
  expect(textUnder("kueue", "lab")).toBe("admitted, waits for nodes");
  expect(textUnder("lab", "kueue")).toBe("admitted, waits for nodes");
});
