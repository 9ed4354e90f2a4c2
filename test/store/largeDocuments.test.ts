import { expect, test } from "vitest";
import { fileOfDocument, isLarge } from "../../src/store/largeDocuments.ts";

const jobs = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `job-${i}`,
    submitMs: i,
    gpus: 1,
    workMs: 60_000,
  }));

test("a document of many jobs becomes the text that it would be in one go, whatever else is in it", async () => {
  for (const rest of [{}, { version: 1, title: '"ü"' }]) {
    for (const others of [{}, { synthetic: [], trace: undefined }]) {
      for (const count of [0, 1, 2_000, 4_001]) {
        const document = { ...rest, workload: { ...others, jobs: jobs(count) } };
        const text = await (await fileOfDocument(document)).text();
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(document)));
      }
    }
  }
});

test("only a list of many jobs goes that way: what is no document is told so at once", () => {
  expect(isLarge({ workload: { jobs: jobs(1_001) } })).toBe(true);
  expect(isLarge({ workload: { jobs: jobs(1_000) } })).toBe(false);
  for (const what of [{}, { workload: null }, { workload: { jobs: "many" } }])
    expect(isLarge(what)).toBe(false);
});
