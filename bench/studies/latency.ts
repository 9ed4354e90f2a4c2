/** The formula of latency against a run request by request, on one hour of an Azure trace: as it came, and the same requests with Poisson arrivals. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ln from "@stdlib/math-base-special-ln";
import { randomStream } from "../../src/base/random.ts";
import {
  formulaWithin,
  momentsOf,
  percentileOf,
  type Requests,
  responsesMs,
} from "./requestRun.ts";
import { type Study, table } from "./study.ts";

const TRACE = "inference/AzureLLMInferenceTrace_code.csv";
const TARGET_MS = 5_000;
/** Reading the prompt and writing one token, of a mid-sized model: 4,000 and 33 tokens a second. */
const OVERHEAD_MS = 50;
const MS_PER_PROMPT_TOKEN = 0.25;
const MS_PER_TOKEN = 30;

export function readRequests(text: string): Requests {
  const rows = text.trim().split("\n").slice(1);
  const arrivalMs = new Float64Array(rows.length);
  const serviceMs = new Float64Array(rows.length);
  let firstMs = 0;
  rows.forEach((row, i) => {
    const [time, context, generated] = row.split(",");
    const clock = /(\d+):(\d+):([\d.]+)$/.exec(time!)!;
    const atMs = (Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3])) * 1_000;
    if (i === 0) firstMs = atMs;
    arrivalMs[i] = atMs - firstMs;
    serviceMs[i] =
      OVERHEAD_MS + MS_PER_PROMPT_TOKEN * Number(context) + MS_PER_TOKEN * Number(generated);
  });
  return { arrivalMs, serviceMs };
}

/** The same requests at the same mean rate, but with exponential times between them, many hours of them. */
export function withPoissonArrivals({ arrivalMs, serviceMs }: Requests, hours: number): Requests {
  const draw = randomStream(1, "latency study", "arrivals");
  const count = serviceMs.length * hours;
  const gapMs = arrivalMs.at(-1)! / serviceMs.length;
  let atMs = 0;
  return {
    arrivalMs: Float64Array.from({ length: count }, () => (atMs -= gapMs * ln(1 - draw()))),
    serviceMs: Float64Array.from(
      { length: count },
      () => serviceMs[Math.floor(draw() * serviceMs.length)]!,
    ),
  };
}

function compare(name: string, requests: Requests, servers: number, stepMs: number) {
  const responses = responsesMs(requests, servers).sort();
  const real95 = responses[Math.ceil(0.95 * responses.length) - 1]!;
  const realWithin = responses.filter((ms) => ms <= TARGET_MS).length / responses.length;
  const within = formulaWithin(requests, servers, stepMs);
  const said95 = percentileOf(within, 0.95);
  const saidWithin = within(TARGET_MS);
  const { mean } = momentsOf(requests.serviceMs);
  const load = (requests.arrivalMs.length * mean) / (requests.arrivalMs.at(-1)! * servers);
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
  const error = said95 / real95 - 1;
  return [
    name,
    servers,
    percent(load),
    stepMs > requests.arrivalMs.at(-1)! ? "one" : `${stepMs / 1_000} s`,
    (real95 / 1_000).toFixed(2),
    (said95 / 1_000).toFixed(2),
    `${error < 0 ? "−" : "+"}${Math.abs(100 * error).toFixed(0)} %`,
    percent(realWithin),
    percent(saidWithin),
  ];
}

export const latency: Study = {
  name: "latency",
  traces: [TRACE],
  run(folder, say) {
    const trace = readRequests(readFileSync(join(folder, TRACE), "utf8"));
    const poisson = withPoissonArrivals(trace, 20);
    const rows: (string | number)[][] = [];
    for (const servers of [4, 5, 6, 8, 12]) {
      say(`latency: ${servers} servers`);
      rows.push(compare("Poisson", poisson, servers, poisson.arrivalMs.at(-1)! + 1));
    }
    for (const servers of [8, 16, 32]) {
      say(`latency: ${servers} servers, as they came`);
      for (const stepMs of [1_000, 5_000, 15_000, 60_000])
        rows.push(compare("as in the trace", trace, servers, stepMs));
    }
    const head = ["arrivals", "servers", "load", "steps of demand", "p95, real (s)"];
    return table([...head, "p95, formula (s)", "error", "within 5 s, real", "formula"], rows);
  },
};
