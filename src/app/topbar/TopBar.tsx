/** The top bar: what is open and by which policy · transport and clock · search, library, link. */
import { CircleHelp, FolderOpen, Library, Link2, Redo2, Search, Share2, Undo2 } from "lucide-react";
import { Suspense } from "react";
import { NBSP } from "../../base/format.ts";
import { SearchBox } from "../../panels/search/SearchBox.tsx";
import type { CommandId } from "../../store/commands.ts";
import { commandOf, run } from "../../store/commands.ts";
import { useShell } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Later, LaterPart } from "../../ui/Later.tsx";
import { ThemeButton } from "./ThemeButton.tsx";
import { Transport } from "./Transport.tsx";

// Its words are those of the forms: every setting of every policy.
const policyLine = new LaterPart(async () => (await import("./PolicyLine.tsx")).PolicyLine);

export function TopBar() {
  return (
    <header className="topbar">
      <div className="topbar-left">
        <div className="brand">
          <Logo />
          <span>Queuescope</span>
        </div>
        <Title />
        <HistoryButtons />
      </div>
      <Transport />
      <div className="topbar-right">
        <div className="topbar-search">
          <SearchBox />
        </div>
        <span className="only-narrow narrow-hide">
          <Button
            label="Search"
            icon={Search}
            look="icon"
            keys="/"
            onClick={() => run("focusSearch")}
          />
        </span>
        <Button label="Library" icon={Library} look="plain" onClick={() => run("openLibrary")} />
        <Button label="Copy link" icon={Link2} look="icon" onClick={() => run("copyLink")} />
        <Button
          label="Share"
          icon={Share2}
          look="plain"
          keys={keysOf("openShare")}
          onClick={() => run("openShare")}
        />
        <span className="narrow-hide">
          <Button
            label="Open file"
            icon={FolderOpen}
            look="icon"
            keys={keysOf("openFile")}
            onClick={() => run("openFile")}
          />
        </span>
        <ThemeButton />
        <span className="narrow-hide">
          <Button
            label="Help"
            icon={CircleHelp}
            look="icon"
            keys="?"
            onClick={() => run("openHelp")}
          />
        </span>
      </div>
    </header>
  );
}

function keysOf(id: CommandId): string | undefined {
  return commandOf(id)?.keys?.[0];
}

/** Two rows of bars against a line: a queue that becomes a schedule. */
function Logo() {
  return (
    <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden>
      <path d="M0 3.5h7M3 9h6M1 14.5h8" stroke="currentColor" strokeWidth="3.4" />
      <path d="M11.5 0v18" stroke="currentColor" strokeWidth="1.6" />
      <path
        d="M13.5 3.5H16M13.5 9H18M13.5 14.5H17"
        stroke="currentColor"
        strokeWidth="3.4"
        opacity="0.45"
      />
    </svg>
  );
}

function Title() {
  const title = useApp((state) => state.scenario?.title);
  const none = useShell((state) => (state.opening ? NBSP : "No scenario"));
  return (
    <div className="title">
      <h1>
        {title === undefined ? (
          none
        ) : (
          <button
            type="button"
            title={`${title}. Click to edit title, question, seed, end and calendar`}
            onClick={() => run("openScenarioCard")}
          >
            {title}
          </button>
        )}
      </h1>
      <Suspense fallback={<p>{NBSP}</p>}>
        <Later part={policyLine} with={{}} />
      </Suspense>
    </div>
  );
}

function HistoryButtons() {
  const undoLabel = useShell((state) => state.undoLabel);
  const redoLabel = useShell((state) => state.redoLabel);
  return (
    <div className="topbar-history">
      <Button
        label="Undo"
        icon={Undo2}
        look="icon"
        keys="Mod+Z"
        disabledReason={undoLabel === null ? "Nothing to undo" : null}
        onClick={() => run("undo")}
      />
      <Button
        label="Redo"
        icon={Redo2}
        look="icon"
        keys="Mod+Shift+Z"
        disabledReason={redoLabel === null ? "Nothing to redo" : null}
        onClick={() => run("redo")}
      />
    </div>
  );
}
