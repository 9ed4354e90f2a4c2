import { expect, test } from "vitest";
import { Host } from "../../src/worker/host.ts";
import { mustRead } from "../scenario/scenarios.ts";

const host = () =>
  new Host({ clock: () => 0, breathe: () => undefined, transfer: (value) => value });
const fileOf = (text: string): Blob => new Blob([text]);
const document = {
  version: 1,
  title: "Two nodes",
  cluster: { nodeGroups: [{ id: "n", count: 2, gpus: 4 }] },
  workload: { jobs: [{ id: "a", submitMs: 0, gpus: 1, workMs: 60_000 }] },
};

test("a scenario file is read with its defaults, as the page would read it", async () => {
  const outcome = await host().readDocument(fileOf(`\uFEFF${JSON.stringify(document)}`));
  expect(outcome).toMatchObject({ kind: "read", guessed: false });
  if (outcome.kind !== "read") throw new Error(JSON.stringify(outcome));
  const rest = JSON.parse(outcome.json);
  const jobs = outcome.jobs.flatMap((piece) => JSON.parse(new TextDecoder().decode(piece)));
  expect({ ...rest, workload: { ...rest.workload, jobs } }).toEqual(
    JSON.parse(JSON.stringify(mustRead(document))),
  );
});

test("a document with the workload of one that was read brings it only once, where the page still has it", async () => {
  const one = host();
  const changed = {
    ...mustRead(document),
    interventions: [{ kind: "drain", atMs: 1, nodes: ["n-001"] }],
  };
  const read = (what: object, key: number, have: readonly number[]) =>
    one.readDocument(fileOf(JSON.stringify(what)), key, have);
  expect(await read(mustRead(document), 1, [])).toMatchObject({ known: null });
  expect(await read(changed, 2, [1])).toMatchObject({ known: 1, jobs: [] });
  const other = { ...changed, workload: { jobs: [{ ...document.workload.jobs[0], gpus: 2 }] } };
  expect(await read(other, 3, [1])).toMatchObject({ known: null });
  expect(await read(changed, 4, [])).toMatchObject({ known: null });
  const wrong = { ...changed, interventions: [{ kind: "cancel", atMs: 1, job: "no such job" }] };
  expect(await read(wrong, 5, [1])).toMatchObject({ kind: "problems" });
});

test("letters that are no UTF-8 are read as Windows-1252, which is said", async () => {
  const text = JSON.stringify({ ...document, title: "M?nchen" });
  const bytes = new TextEncoder().encode(text);
  bytes[text.indexOf("?")] = 0xfc;
  const outcome = await host().readDocument(new Blob([bytes]));
  expect(outcome).toMatchObject({ kind: "read", guessed: true });
  expect(outcome.kind === "read" && outcome.json).toContain("München");
});

test("what is no scenario comes back as problems", async () => {
  expect(await host().readDocument(fileOf("{"))).toMatchObject({ kind: "problems" });
  expect(await host().readDocument(fileOf('{"version":1}'))).toMatchObject({ kind: "problems" });
});

test("a file is of eight MiB at most; what a script hands over may be larger", async () => {
  const large = fileOf(
    JSON.stringify({ ...document, title: "Two nodes" }) + " ".repeat(8 * 2 ** 20),
  );
  const one = host();
  expect(await one.readDocument(large, 1, [])).toMatchObject({
    kind: "problems",
    problems: [{ message: "The document is larger than 8 MiB." }],
  });
  expect((await one.readDocument(large, 1, [], 2 ** 25)).kind).toBe("read");
});
