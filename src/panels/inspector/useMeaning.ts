/** What Slurm's reasons mean, loaded when a job under Slurm is first looked at. */
import { useEffect, useState } from "react";
import type { MeaningOf } from "../../model/sentences.ts";

let loaded: MeaningOf | undefined;

/** Undefined where it is not wanted, and until it is here. */
export function useMeaning(wanted: boolean): MeaningOf | undefined {
  const [meaningOf, setMeaning] = useState<MeaningOf | undefined>(() => loaded);
  useEffect(() => {
    if (!wanted || loaded) return;
    let stopped = false;
    import("../../model/slurm/sentences.ts").then(
      ({ slurmSentence }) => {
        loaded = slurmSentence;
        if (!stopped) setMeaning(() => slurmSentence);
      },
      // Without network the word stands alone.
      () => undefined,
    );
    return () => {
      stopped = true;
    };
  }, [wanted]);
  return wanted ? (meaningOf ?? loaded) : undefined;
}
