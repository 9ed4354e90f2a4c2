/** A page over the sheet in the address: put in, read, taken out, whatever else stands there. */
import { expect, test } from "vitest";
import { pageIn, pageOf, withPage } from "../../src/store/pageInLink.ts";

test("it stands behind the scenario and leaves the rest of the address as it is", () => {
  const link = "https://a.b/c?d=e#s=preset:x&w=1.a";
  const there = withPage(link, "orchestrators");
  expect(there).toBe(`${link}&p=orchestrators`);
  expect(pageIn(there)).toBe("orchestrators");
  expect(withPage(there, "orchestrators")).toBe(there);
  expect(withPage(there, null)).toBe(link);
});

test("an address without a scenario can name one; a name that there is not is none", () => {
  expect(withPage("https://a.b/c", "orchestrators")).toBe("https://a.b/c#p=orchestrators");
  expect(withPage("https://a.b/c#p=orchestrators", null)).toBe("https://a.b/c");
  expect(pageIn("https://a.b/c#p=nothing")).toBeNull();
  expect(pageIn("https://a.b/p=orchestrators")).toBeNull();
});

test("dialogs without a page of their own have none", () => {
  expect(pageOf({ kind: "orchestrators" })).toBe("orchestrators");
  expect(pageOf({ kind: "library" })).toBeNull();
});
