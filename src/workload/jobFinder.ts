/** Finds jobs by the id that people use. The index is built only when somebody asks, because most runs never do. */
import type { NameList } from "../model/jobs.ts";
import type { FindJobs } from "./changes.ts";

/**
 * The first question costs O(jobs), each further one O(1). An array's id stands for all its members (`arrays`: draft indexes). It is given nothing else of the
 * draft, which would live as long as the world does: a second copy of all jobs.
 */
export function jobFinder(
  arrays: ReadonlyMap<string, readonly number[]>,
  jobOfDraft: Uint32Array,
  ids: NameList,
): FindJobs {
  let byText: Map<string, number> | null = null;
  let byNumber: Map<number, number> | null = null;
  return (id) => {
    const members = arrays.get(id);
    if (members !== undefined) return members.map((row) => jobOfDraft[row]!);
    byText ??= new Map([...ids.texts].map(([job, text]) => [text, job]));
    const found = byText.get(id);
    if (found !== undefined) return [found];
    const number = Number(id);
    if (String(number) !== id) return [];
    byNumber ??= indexNumbers(ids.numbers);
    const numbered = byNumber.get(number);
    return numbered === undefined ? [] : [numbered];
  };
}

function indexNumbers(numbers: Float64Array): Map<number, number> {
  const index = new Map<number, number>();
  for (let job = 0; job < numbers.length; job++) {
    if (numbers[job]! >= 0) index.set(numbers[job]!, job);
  }
  return index;
}
