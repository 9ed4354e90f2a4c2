import { expect, test } from "vitest";
import {
  OWN_PREEMPT_MODES,
  PREEMPT_MODES,
  preemptWords,
} from "../../../src/scenario/slurm/preemptMode.ts";

test("every PreemptMode that the form offers is one that the reader takes", () => {
  for (const mode of [...PREEMPT_MODES, ...OWN_PREEMPT_MODES]) {
    expect(preemptWords(mode), mode).not.toBeNull();
  }
  expect(preemptWords("SUSPEND,GANG")).toEqual({ mode: "suspend", gang: true, within: false });
  expect(preemptWords("CANCEL,WITHIN")).toEqual({ mode: "cancel", gang: false, within: true });
  expect(preemptWords("CHECKPOINT")).toBeNull();
});
