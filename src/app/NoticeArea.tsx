/** The toast and the polite live region: one line each, the same words. The region speaks at most once a second. */
import { useEffect, useState } from "react";
import { run } from "../store/commands.ts";
import { dismissNotice } from "../store/notices.ts";
import { useShell } from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import { Toast } from "../ui/Toast.tsx";

const LEAST_GAP_MS = 1_000;

export function NoticeArea() {
  const text = useApp((state) => state.notice?.text ?? "");
  const presenting = useShell((state) => state.presenting);
  return (
    <>
      <LiveRegion text={text} />
      {presenting && <NoticeToast />}
    </>
  );
}

/** In the status bar, where it takes the room that is free; over the sheet where there is no bar. */
export function NoticeToast() {
  const notice = useApp((state) => state.notice);
  if (!notice) return null;
  return (
    <Toast
      key={notice.serial}
      text={notice.text}
      onClose={dismissNotice}
      {...(notice.undo ? { action: { label: "Undo", run: undoNow } } : {})}
    />
  );
}

function undoNow(): void {
  dismissNotice();
  run("undo");
}

function LiveRegion({ text }: { readonly text: string }) {
  const [spoken, setSpoken] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSpoken(text), spoken === "" ? 0 : LEAST_GAP_MS);
    return () => clearTimeout(timer);
  }, [text, spoken]);
  return (
    <div className="sr-only" role="status" aria-live="polite">
      {spoken}
    </div>
  );
}
