import { expect, test } from "vitest";
import { emptyHistory, pushed, redone, replaced, undone } from "../../src/store/history.ts";

const open = pushed(emptyHistory<string>(), { document: "A", label: "Open" });

test("undo gives the former document, redo the later one", () => {
  const edited = pushed(open, { document: "B", label: "Drain node 3" });
  const back = undone(edited)!;
  expect(back.present?.document).toBe("A");
  expect(redone(back)?.present).toEqual({ document: "B", label: "Drain node 3" });
  expect(redone(edited)).toBeNull();
});

test("the first document cannot be undone", () => {
  expect(undone(open)).toBeNull();
});

test("an edit after an undo forgets what was undone", () => {
  const back = undone(pushed(open, { document: "B", label: "b" }))!;
  const other = pushed(back, { document: "C", label: "c" });
  expect(redone(other)).toBeNull();
  expect(undone(other)?.present?.document).toBe("A");
});

test("replacing the present document adds no step", () => {
  expect(undone(replaced(open, "A2"))).toBeNull();
});
