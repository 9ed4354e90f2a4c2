/** Play, step, clock and speed: the controls used all the time, in the middle of the bar. */
import { Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { disabledReason, run } from "../../store/commands.ts";
import { useApp } from "../../store/store.ts";
import { useRunData } from "../../store/useRun.ts";
import { Button } from "../../ui/Button.tsx";
import { Select } from "../../ui/Select.tsx";
import { Clock } from "./Clock.tsx";

/** Simulated seconds a second. */
const FACTORS = [60, 600, 1_800, 3_600, 10_000] as const;

export function Transport() {
  const playing = useApp((state) => state.playing);
  // Playable as soon as there is something to play, long before a large run is complete.
  useRunData();
  const off = disabledReason("togglePlay");
  const label = playing ? "Pause" : "Play";
  return (
    <fieldset className="transport" aria-label="Playback">
      <Button
        label="Previous event"
        icon={SkipBack}
        look="icon"
        keys=","
        disabledReason={disabledReason("previousEvent")}
        onClick={() => run("previousEvent")}
      />
      <button
        type="button"
        className="play"
        aria-label={label}
        aria-keyshortcuts="Space"
        aria-disabled={off !== null || undefined}
        title={off ?? `${label} (Space)`}
        onClick={() => run("togglePlay")}
      >
        {playing ? (
          <Pause size={16} fill="currentColor" aria-hidden />
        ) : (
          <Play size={16} fill="currentColor" aria-hidden style={{ marginLeft: 2 }} />
        )}
      </button>
      <Button
        label="Next event"
        icon={SkipForward}
        look="icon"
        keys="."
        disabledReason={disabledReason("nextEvent")}
        onClick={() => run("nextEvent")}
      />
      <Clock />
      <Speed />
    </fieldset>
  );
}

function Speed() {
  const speed = useApp((state) => state.speed);
  const options = FACTORS.map((factor) => ({
    value: String(factor * 1_000),
    label: `×${factor === 10_000 ? "10\u202f000" : factor}`,
  }));
  return (
    <span className="speed-wrap">
      <Select
        label="Speed"
        bare
        className="speed"
        value={String(speed)}
        options={[...options, { value: "0", label: "all in 20 s" }]}
        onChange={(value) => run("setSpeed", { speed: Number(value) })}
      />
    </span>
  );
}
