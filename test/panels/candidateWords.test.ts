/** What is said where no funnel of nodes is told. */
import { expect, test } from "vitest";
import { notToldWords } from "../../src/panels/inspector/story/candidateWords.ts";
import type { Stage } from "../../src/protocol/messages.ts";

const cluster = (flat: boolean) =>
  ({ cluster: { flat, deviceWord: "GPU" } }) as unknown as Pick<Stage, "cluster">;

test("it points to the counts above where a scheduler tells no more, and does not deny them", () => {
  expect(notToldWords(cluster(false), "kube-scheduler")).toBe(
    "kube-scheduler says no more of nodes than what stands above: how many, not which.",
  );
  expect(notToldWords(cluster(false), "slurm")).toBe("No nodes are gone through for it now.");
  expect(notToldWords(cluster(true), "lab")).toContain("there are no nodes to choose from");
});
