/** Documents read before the page has the code for that: the worker, which has it anyway, reads the link or the first scenario of the library. */
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import type { Decoded } from "../scenario/codec.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Doc } from "../store/documents.ts";
import { FIRST_ENTRY, libraryDoc } from "../store/library.ts";
import { entryFacts, fetchLinkCode, noteEntry } from "../store/linkCode.ts";
import type { WorkerClient } from "../store/workerClient.ts";

const NO_CODE: Problem = {
  place: "link",
  message: "A part of this page could not be fetched.",
  remedy: "Reload the page.",
};

/** What a first visit shows, read by the worker; by the page where there is none. */
export async function readFirst(client: WorkerClient): Promise<Doc | null> {
  const read = await client.readEntry(FIRST_ENTRY).catch(() => null);
  if (read) {
    noteEntry(read.entry);
    return libraryDoc(JSON.parse(read.json) as Scenario, read.entry);
  }
  const code = await fetchLinkCode().catch(() => null);
  const scenario = code?.library.libraryScenario(FIRST_ENTRY);
  const entry = entryFacts(FIRST_ENTRY);
  return scenario && entry ? libraryDoc(scenario, entry) : null;
}

/** The scenario of a link, read by the worker; by the page where there is none. */
export async function readInWorker(
  client: WorkerClient,
  text: string,
): Promise<Result<Decoded, readonly Problem[]>> {
  const outcome = await client.readLink(text).catch(() => null);
  if (outcome === null) {
    const code = await fetchLinkCode().catch(() => null);
    return code ? code.codec.decodeScenario(text, code.library.libraryScenario) : err([NO_CODE]);
  }
  if (outcome.kind === "problems") return err(outcome.problems);
  if (outcome.entry) noteEntry(outcome.entry);
  const scenario = JSON.parse(outcome.json) as Scenario;
  return ok({ scenario, baseId: outcome.entry?.id ?? null });
}
