/** A Slurm administrator's walk: their slurm.conf and the files beside it, then their jobs from sacct. */
import { expect, test } from "../base.ts";
import { dropFile } from "../support/files.ts";
import {
  accountingText,
  brokenConf,
  gresConf,
  sacctOutput,
  slurmConf,
  topologyConf,
} from "../support/slurmFiles.ts";

test("files dropped together become a cluster; then sacct output runs on it, and what finds no match is told", async ({
  bench,
}) => {
  await bench.visit();
  await dropFile(bench, topologyConf, slurmConf, gresConf);
  const dialog = bench.dialog(/slurm\.conf/);
  await expect(dialog).toContainText("Read from the file");
  await expect(dialog.getByRole("row", { name: /^Nodes 4/ })).toBeVisible();
  await expect(dialog.getByRole("row", { name: /^GPUs 32 H100/ })).toBeVisible();
  await expect(dialog.getByRole("row", { name: /^Partitions 2 gpu, short/ })).toBeVisible();
  await expect(dialog).toContainText("Licenses");
  await dialog.getByRole("button", { name: "Open as a new scenario" }).click();
  await bench.idle();
  const made = await bench.scenario();
  expect(made.title).toBe("harbour");
  expect((await bench.schedule()).length).toBeGreaterThan(100);

  await dropFile(bench, accountingText);
  await expect(bench.page.locator(".toast")).toContainText("accounts.txt joined");
  await bench.idle();

  await dropFile(bench, sacctOutput);
  const trace = bench.dialog("sacct.txt");
  await expect(trace).toContainText("output of sacct");
  await expect(trace.getByLabel("Cluster")).toHaveValue("open");
  await expect(trace).toContainText("no partition night");
  await expect(trace).toContainText("no account tide");
  await trace.getByRole("button", { name: "Open trace" }).click();
  await bench.idle();
  const scenario = await bench.scenario();
  expect(scenario.pools?.[0]?.policy?.slurm?.accounting).toContain("reef");
  expect(scenario.cluster.nodeGroups[0]?.names).toBe("dock[1-4]");
  const schedule = await bench.schedule();
  expect(schedule.length).toBe(40);
  expect(schedule.every((run) => run.startMs !== null)).toBe(true);
});

test("slurm.conf under the open jobs keeps them, with Undo", async ({ bench }) => {
  await bench.visit();
  const jobs = (await bench.schedule()).map((run) => run.id);
  const before = await bench.digest();
  await dropFile(bench, slurmConf);
  await bench
    .dialog(/slurm\.conf/)
    .getByRole("button", { name: "Use in the open scenario" })
    .click();
  await bench.idle();
  expect([...new Set((await bench.schedule()).map((run) => run.id))].toSorted()).toEqual(
    [...new Set(jobs)].toSorted(),
  );
  expect((await bench.scenario()).pools?.[0]?.policy?.preset).toBe("slurm");
  await bench.undo();
  expect(await bench.digest()).toBe(before);
});

test("what is wrong or useless alone is said with file, line and remedy, and nothing is lost", async ({
  bench,
}) => {
  await bench.visit();
  const before = await bench.digest();
  await dropFile(bench, brokenConf);
  await expect(bench.page.locator(".banner")).toContainText("slurm.conf:3, KillWait");
  await dropFile(bench, gresConf);
  await expect(bench.page.locator(".banner")).toContainText("gres.conf needs a slurm.conf");
  await dropFile(bench, { name: "topology.yaml", buffer: Buffer.from("---\n- topology: a\n") });
  await expect(bench.page.locator(".banner")).toContainText(
    "Write its switches as a topology.conf",
  );
  expect(await bench.digest()).toBe(before);
});
