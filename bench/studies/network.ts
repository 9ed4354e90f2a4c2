/**
 * Communication: the measured slow-down of models by placement beside that of the shipped ones. One number a model is fitted to three ratios, so what is met shows
 * what alpha-beta times and shared cards explain, and the rest what they do not.
 */
import type { MeasuredModel } from "../../src/model/network/models.ts";
import { ADAPTDL, GAVEL, isMet, modelled } from "./measuredPlacements.ts";
import { type Study, table } from "./study.ts";

export const network: Study = {
  name: "network",
  run() {
    const gavel = rowsOf("gavel", GAVEL);
    const adaptdl = rowsOf("adaptdl", ADAPTDL);
    const head = (cases: readonly string[]) => ["model", ...cases.flatMap((one) => [one, "model"])];
    return [
      `Gavel, V100, throughput apart ÷ packed (${gavel.met} of ${gavel.all} within 10 %; others *in italics*):`,
      table(head(["2 GPUs", "4 GPUs", "8 GPUs"]), gavel.rows),
      `AdaptDL, step time apart ÷ packed (${adaptdl.met} of ${adaptdl.all} within 10 %):`,
      table(head(["1+1 ÷ 2", "2+2 ÷ 4", "1+1+1+1 ÷ 4"]), adaptdl.rows),
    ].join("\n\n");
  },
};

function rowsOf(
  from: "gavel" | "adaptdl",
  measurements: readonly (readonly [MeasuredModel, readonly number[]])[],
): { rows: string[][]; met: number; all: number } {
  let met = 0;
  const rows = measurements.map(([model, measured]) => {
    const cells = modelled(from, model).map((value, i) => {
      if (!isMet(value, measured[i]!)) return `*${value.toFixed(3)}*`;
      met++;
      return value.toFixed(3);
    });
    return [model, ...measured.flatMap((value, i) => [String(value), cells[i]!])];
  });
  return { rows, met, all: 3 * measurements.length };
}
