/**
 * The one door for documents: text or plain JSON → size caps → upgrade → schema → cross-checks. Everything that comes from a
 * file, a link or an embedding page passes here and is hostile until it has. Nothing throws on bad input.
 */
import type { Json, JsonObject } from "../base/json.ts";
import type { Problem } from "../base/problem.ts";
import type { Result } from "../base/result.ts";
import { err, ok } from "../base/result.ts";
import { LIMITS } from "../model/limits.ts";
import { checkScenario } from "./checks.ts";
import { problemOfIssue } from "./issues.ts";
import type { UpgradeError } from "./migrations/upgrade.ts";
import { upgrade } from "./migrations/upgrade.ts";
import type { Scenario } from "./schema.ts";
import { scenarioSchema } from "./schema.ts";

/** More problems than a person reads at once are cut off. */
const PROBLEMS_SHOWN = 50;

/** Reads a scenario file, of so many bytes at most. `passedOf`: as `passed` of `readScenario`, found once the document is there. O(text). */
export function readScenarioText(
  text: string,
  passedOf: (document: unknown) => Scenario["workload"] | null = () => null,
  most: number = LIMITS.documentBytes,
): Result<Scenario, Problem[]> {
  if (text.length > most) {
    const remedy = "Refer to a trace instead of listing its jobs.";
    return err([
      {
        place: "/",
        message: `The document is larger than ${most / 2 ** 20} MiB.`,
        remedy,
      },
    ]);
  }
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    const message = `The text is not JSON: ${error instanceof Error ? error.message.slice(0, 200) : "it cannot be read"}.`;
    return err([
      {
        place: "/",
        message,
        remedy: "Check the text near that place, or save the scenario again.",
      },
    ]);
  }
  return readScenario(document, passedOf(document));
}

/**
 * Reads a document that is already plain JSON. Called by codec, page, worker and CLI. `passed`: its workload, which has passed here before; what stands in its place is not
 * looked at, and the rest is checked against it. O(document).
 */
export function readScenario(
  document: unknown,
  passed: Scenario["workload"] | null = null,
): Result<Scenario, Problem[]> {
  const upgraded = upgrade(document as Json);
  if (!upgraded.ok) return err([problemOfUpgrade(upgraded.error)]);
  const rest =
    passed === null ? upgraded.value : { ...(upgraded.value as JsonObject), workload: {} };
  const parsed = scenarioSchema.safeParse(rest, { reportInput: true });
  if (!parsed.success) return err(parsed.error.issues.slice(0, PROBLEMS_SHOWN).map(problemOfIssue));
  const scenario = passed === null ? parsed.data : { ...parsed.data, workload: passed };
  const problems = checkScenario(scenario);
  return problems.length > 0 ? err(problems.slice(0, PROBLEMS_SHOWN)) : ok(scenario);
}

function problemOfUpgrade(error: UpgradeError): Problem {
  switch (error.kind) {
    case "notADocument":
      return {
        place: "/",
        message: "This is not a scenario.",
        remedy: "A scenario is a JSON object with at least a cluster.",
      };
    case "noSuchVersion":
      return {
        place: "/version",
        message: `There never was a version ${error.version.slice(0, 40)} of scenarios.`,
        remedy: "Write 1.",
      };
    case "tooNew":
      return {
        place: "/version",
        message: `This scenario has version ${error.version}; this Queuescope reads versions up to ${error.known}.`,
        remedy: "Reload the page, or install a newer Queuescope.",
      };
  }
}
