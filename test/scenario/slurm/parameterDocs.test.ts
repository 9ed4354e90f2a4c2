/** The page of documents about Slurm's parameters is the catalogue, written out; `npx vitest run test/scenario/slurm/parameterDocs.test.ts --update` writes it anew. */
import { expect, test } from "vitest";
import type { Parameter, ParameterScope } from "../../../src/scenario/slurm/parameterKinds.ts";
import { PARAMETERS } from "../../../src/scenario/slurm/parameters.ts";

const SCOPES: readonly (readonly [ParameterScope, string])[] = [
  ["global", "slurm.conf: the cluster"],
  ["scheduler", "slurm.conf: options of SchedulerParameters"],
  ["partition", "slurm.conf: fields of PartitionName"],
  ["node", "slurm.conf: fields of NodeName"],
  ["qos", "sacctmgr: QOS"],
  ["association", "sacctmgr: accounts and users"],
];

const HEAD = `# Parameters of Slurm

What the preset \`slurm\` does with each parameter that it knows by name. Defaults are those of Slurm 22.05. The list is made from
\`src/scenario/slurm/parameters.ts\`, from which the form, the notes on a configuration and the reader work too. A parameter that is not
here is reported as not modelled.
`;

/** A cell of a table: no bar of its own. */
const cell = (text: string): string => text.replaceAll("|", "\\|");

function row(parameter: Parameter): string {
  const { name, link, standard, kind, sentence, differs, sinceNote, aliases } = parameter;
  const also = aliases.length > 0 ? ` (also ${aliases.join(", ")})` : "";
  const usual = kind.is === "flag" ? "off" : standard;
  const more = [sentence, differs && `**Approximated**: ${differs}.`, sinceNote].filter(Boolean);
  return `| [${name}](${link})${also} | ${cell(usual)} | ${cell(more.join(" "))} |`;
}

function section([scope, title]: readonly [ParameterScope, string]): string {
  const own = PARAMETERS.filter((each) => each.scope === scope);
  const heeded = own.filter(
    (each) => each.standing === "modelled" || each.standing === "approximated",
  );
  const notModelled = own.filter((each) => each.standing === "notModelled");
  const sentences = [...new Set(notModelled.map((each) => each.sentence))];
  const not = sentences.map((sentence) => {
    const names = notModelled.filter((each) => each.sentence === sentence).map((each) => each.name);
    return `- ${names.join(", ")}: ${sentence}`;
  });
  return [
    `## ${title}\n`,
    "| parameter | default | what it does |\n|---|---|---|",
    ...heeded.map(row),
    ...(not.length > 0 ? ["\nNot modelled:\n", ...not] : []),
    "",
  ].join("\n");
}

test("the document about Slurm's parameters says what the catalogue says", async () => {
  const text = [HEAD, ...SCOPES.map(section)].join("\n");
  await expect(text).toMatchFileSnapshot("../../../docs/policies/slurm-parameters.md");
});
