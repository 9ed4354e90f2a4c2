/** `facts FILE`: what a foreign file says, as one JSON object on standard output; what a reader does not know is null. */
import { basename } from "node:path";
import { READERS, readForeign } from "../formats/registry.ts";
import { fellShort, say, wrongCall } from "./fail.ts";
import { readBytes } from "./files.ts";

export function factsCommand(file: string, format: string | undefined): void {
  if (format !== undefined && !Object.hasOwn(READERS, format)) {
    throw wrongCall(
      `There is no format "${format}"; these are read: ${Object.keys(READERS).join(", ")}`,
    );
  }
  const read = readForeign(readBytes(file), basename(file), format);
  if (!read.ok) throw fellShort(read.error);
  const { facts } = read.value;
  for (const warning of facts.warnings) say(`${basename(file)}: ${warning}`);
  process.stdout.write(`${JSON.stringify(facts, null, 2)}\n`);
}
