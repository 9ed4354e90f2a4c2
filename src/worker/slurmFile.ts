/** A dropped file of a Slurm cluster: told apart, read, and joined to the scenario that is open. */
import type { Problem } from "../base/problem.ts";
import { decodeText } from "../formats/text.ts";
import { LIMITS } from "../model/limits.ts";
import type { SlurmOutcome } from "../protocol/messages.ts";
import { readScenario } from "../scenario/read.ts";
import type { Scenario } from "../scenario/schema.ts";
import { detectSlurmFile } from "../scenario/slurm/detectFile.ts";
import { scenarioFromSlurm } from "../scenario/slurm/importCluster.ts";
import { joinSlurmFile } from "../scenario/slurm/joinFile.ts";
import type { SlurmFiles } from "../scenario/slurm/report.ts";

const NO_FILES: SlurmFiles = { conf: "", gres: "", topology: "", accounting: "" };

/** What `RunHost.readSlurm` answers. O(file + nodes). */
export function readSlurmFile(
  name: string,
  bytes: Uint8Array,
  open: Scenario | null,
): SlurmOutcome {
  if (bytes.length > LIMITS.documentBytes) return { kind: "other" };
  const { text, guessed } = decodeText(bytes);
  const file = detectSlurmFile(text);
  if (file === null) return { kind: "other" };
  if (bytes.length > LIMITS.configBytes) return { kind: "problems", problems: [tooLarge(name)] };
  const made =
    open === null
      ? scenarioFromSlurm({ ...NO_FILES, [file]: text })
      : joinSlurmFile(open, file, text);
  if (!made.ok) return { kind: "problems", problems: made.error };
  const read = readScenario(made.value.scenario);
  if (!read.ok) return { kind: "problems", problems: read.error };
  return {
    kind: "read",
    file,
    json: JSON.stringify(read.value),
    notes: made.value.notes,
    newCluster: "newCluster" in made.value ? made.value.newCluster : true,
    guessed,
  };
}

function tooLarge(name: string): Problem {
  return {
    place: name,
    message: `The file is larger than ${LIMITS.configBytes / 1_024} KiB.`,
    remedy: "Leave out what does not bear on scheduling, such as long comments.",
  };
}
