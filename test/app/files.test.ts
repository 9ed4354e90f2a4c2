import { File as NodeFile } from "node:buffer";
import { afterEach, expect, test } from "vitest";
import { connectFiles, takeFiles } from "../../src/app/files.ts";
import { showDialog, useShell } from "../../src/store/shellState.ts";
import { isUnderway } from "../../src/store/underway.ts";
import type { WorkerClient } from "../../src/store/workerClient.ts";

afterEach(() => {
  showDialog({ kind: "none" });
  useShell.setState({ banner: null, reading: null });
});

const refused = (name: string) => ({
  kind: "problems",
  problems: [{ path: name, problem: "Refused.", remedy: "" }],
});

/** A worker that answers when it is told to. */
function heldWorker() {
  const answers = new Map<string, (outcome: unknown) => void>();
  const hold = (name: string) => new Promise((resolve) => answers.set(name, resolve));
  const worker = {
    readDocument: ({ name }: File) => hold(name),
    readSlurm: () => Promise.resolve({ kind: "other" }),
    addTrace: (name: string) => hold(name),
  };
  connectFiles(worker as unknown as WorkerClient, () => Promise.resolve(false));
  return answers;
}

/** A file whose parts can be read, which those of the simulated page cannot. */
const file = (text: string, name: string) => new NodeFile([text], name) as unknown as File;

/** Until the worker has been asked for it. */
const asked = async (answers: ReadonlyMap<string, unknown>, name: string) => {
  while (!answers.has(name)) await new Promise((resolve) => setTimeout(resolve, 0));
};

test.each([
  ["first.json", '{"version": 1}'],
  ["first.swf", "; a log"],
])("%s says nothing any more where another file came while it was read", async (name, text) => {
  const answers = heldWorker();
  const first = takeFiles([file(text, name)]);
  await asked(answers, name);
  expect(useShell.getState().reading).toBe(name);
  const second = takeFiles([file("; a log", "second.swf")]);
  await asked(answers, "second.swf");
  answers.get(name)?.(refused(name));
  await first;
  expect(useShell.getState().banner).toBeNull();
  expect(useShell.getState().reading).toBe("second.swf");
  expect(isUnderway()).toBe(true);
  answers.get("second.swf")?.(refused("second.swf"));
  await second;
  expect(useShell.getState().banner?.title).toMatch(/^second\.swf cannot be opened/);
  expect(useShell.getState().reading).toBeNull();
  expect(isUnderway()).toBe(false);
});
