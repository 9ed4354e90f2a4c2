/**
 * The page for a room: title or question, a large clock and the play button above the sheet; below it the sentence of the
 * inspector, the step and the keys. A clicker steps through the changes of the document, or through events where it has none.
 */
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { leafUnderPointer } from "../../panels/gantt/leafLevels.ts";
import { changeWords } from "../../panels/inspector/changes/changeWords.ts";
import { Dirty, frameLoop } from "../../render/frameLoop.ts";
import { run } from "../../store/commands.ts";
import { notify } from "../../store/notices.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { useCursorMs, useRunData } from "../../store/useRun.ts";
import { applyTheme } from "../../theme/applyTheme.ts";
import { Button } from "../../ui/Button.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { chordOf } from "../keyMap.ts";
import { Transport } from "../topbar/Transport.tsx";
import { stepAt, stepFrom, stepsOf } from "./steps.ts";
import "./presenter.css";

/** How long a pressed key stays on screen. */
const KEY_SHOWN_MS = 1_200;

export function Presenter() {
  const begin = useRef(useApp.getState().cursorMs);
  const [blank, setBlank] = useState(false);
  const pressed = usePressed();
  useLargeType();
  useClicker(begin.current, setBlank);
  return (
    <>
      <Head />
      <Foot beginMs={begin.current} />
      {pressed !== null && (
        <p className="presenter-key" aria-hidden>
          <Kbd keys={pressed} />
        </p>
      )}
      {blank && (
        <button
          type="button"
          className="presenter-blank"
          aria-label="The screen is blank. Show the page"
          onClick={() => setBlank(false)}
        />
      )}
    </>
  );
}

function Head() {
  const scenario = useApp((state) => state.scenario);
  return (
    <header className="presenter-head">
      <h1>{scenario?.question ?? scenario?.title}</h1>
      <Transport />
      <Button label="Leave" hint="Leave (Esc)" icon={X} look="icon" onClick={leave} />
    </header>
  );
}

function Foot({ beginMs }: { readonly beginMs: number }) {
  const scenario = useApp((state) => state.scenario);
  const bookmarks = useApp((state) => state.bookmarks);
  const cursorMs = useCursorMs();
  const { stage } = useRunData();
  if (!scenario) return null;
  const steps = stepsOf(scenario, bookmarks, beginMs);
  const place = stepAt(steps, cursorMs);
  const { changes = [], marks = [] } = steps[place] ?? {};
  const words = [
    ...marks.map(({ text }) => text),
    ...changes.map(
      (index) => changeWords(scenario, index, stage?.cluster.deviceWord ?? "GPU").title,
    ),
  ].filter((text) => text !== "");
  return (
    <footer className="presenter-foot">
      <p role="status">
        {steps.length > 0 && place >= 0 && `${place + 1} of ${steps.length}`}
        {words.length > 0 && <span> · {words.join("; ")}</span>}
      </p>
      <p className="presenter-keys">
        <Kbd keys="→" /> {steps.length > 0 ? "next step" : "next event"} <Kbd keys="L" /> light
      </p>
    </footer>
  );
}

function leave(): void {
  useShell.setState({ presenting: false, spotlight: false });
  const address = new URL(location.href);
  if (!address.searchParams.has("present")) return;
  // A reload, and the link that is copied from now on, show the desk.
  address.searchParams.delete("present");
  history.replaceState(history.state, "", address);
}

/** The whole page follows one scale; canvases read it anew with the palette. */
function useLargeType(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    const show = (): void => {
      applyTheme(useApp.getState().theme);
      frameLoop.markAll(Dirty.all);
    };
    dataset.presenter = "";
    useApp.setState({ side: "inspector", drawer: "none" });
    show();
    return () => {
      delete dataset.presenter;
      show();
    };
  }, []);
}

/** The key that was pressed last, for a moment: the room sees what was done. */
function usePressed(): string | null {
  const [pressed, setPressed] = useState<string | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent): void => {
      const chord = chordOf(event);
      if (chord === null || event.repeat) return;
      setPressed(chord.replace("Page", "Page "));
      clearTimeout(timer);
      timer = setTimeout(setPressed, KEY_SHOWN_MS, null);
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", onKey, { capture: true });
    };
  }, []);
  return pressed;
}

const STEPS: Readonly<Record<string, 1 | -1>> = {
  PageDown: 1,
  ArrowRight: 1,
  PageUp: -1,
  ArrowLeft: -1,
};

function go(beginMs: number, by: 1 | -1): void {
  const { scenario, bookmarks, cursorMs } = useApp.getState();
  const steps = scenario ? stepsOf(scenario, bookmarks, beginMs) : [];
  const step = stepFrom(steps, cursorMs, by);
  if (step) {
    run("pause");
    run("seek", { atMs: step.atMs });
  } else if (steps.length === 0) run(by === 1 ? "nextEvent" : "previousEvent");
}

/** What belongs to whoever has the focus stays there. */
function isElsewhere(): boolean {
  const { activeElement } = document;
  return (
    useShell.getState().dialog.kind !== "none" ||
    activeElement?.closest("[role=dialog], [role=menu], [role=slider], input, select, textarea") !=
      null
  );
}

function switchLight(): void {
  const { spotlight } = useShell.getState();
  useShell.setState({ spotlight: !spotlight });
  if (!spotlight && useApp.getState().selection === null && leafUnderPointer() < 0)
    notify("The light falls on the leaf of the selected job. Select one, or point at a leaf.");
}

/** Clickers send these keys; they come before whatever else has a use for them. */
function useClicker(beginMs: number, setBlank: (next: (now: boolean) => boolean) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isElsewhere()) return;
      const by = STEPS[event.key];
      const key = event.key.toLowerCase();
      if (by !== undefined) {
        setBlank(() => false);
        go(beginMs, by);
      } else if (key === "b" || key === ".") setBlank((now) => !now);
      else if (key === "l") switchLight();
      else if (key !== "escape") return;
      else if (useShell.getState().spotlight) useShell.setState({ spotlight: false });
      else leave();
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [beginMs, setBlank]);
}
