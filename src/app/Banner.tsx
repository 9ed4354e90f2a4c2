/**
 * What is wrong with what was asked for, above the sheet: problems of a document with place and remedy, a trace that is not here,
 * a link that could not be opened. It pushes the sheet down and covers nothing; the last good picture stays below.
 */
import { X } from "lucide-react";
import { numberText } from "../base/format.ts";
import type { Problem } from "../base/problem.ts";
import { run } from "../store/commands.ts";
import { dismissProblems } from "../store/documents.ts";
import { useShell } from "../store/shellState.ts";
import { useApp } from "../store/store.ts";
import { Button } from "../ui/Button.tsx";

export function Banner() {
  return (
    <div className="banners">
      <StatusBanner />
      <MessageBanner />
    </div>
  );
}

function StatusBanner() {
  const status = useApp((state) => state.runStatus);
  if (status.phase === "traceNeeded") {
    return (
      <section className="banner" role="alert" aria-label="File needed">
        <div className="banner-text">
          <strong>This scenario needs the file {status.name}.</strong>
          <span>
            {numberText(status.bytes)} bytes, SHA-256 {status.sha256.slice(0, 16)}…. Links never
            carry a trace: open the file, or drop it on the page.
          </span>
        </div>
        <Button label="Open file" look="primary" onClick={() => run("openFile")} />
      </section>
    );
  }
  if (status.phase === "problems") {
    return (
      <section className="banner banner-error" role="alert" aria-label="Problems">
        <div className="banner-text">
          <strong>This cannot run as it is; nothing was changed.</strong>
          <ProblemList problems={status.problems} />
        </div>
        <Button label="Dismiss problems" icon={X} look="icon" onClick={dismissProblems} />
      </section>
    );
  }
  return null;
}

function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ul>
      {problems.map((problem) => (
        <li key={`${problem.place} ${problem.message}`}>
          <code>{problem.place}</code>
          {problem.message} <span>{problem.remedy}</span>
        </li>
      ))}
    </ul>
  );
}

function MessageBanner() {
  const banner = useShell((state) => state.banner);
  if (!banner) return null;
  return (
    <section
      className={`banner ${banner.kind === "error" ? "banner-error" : ""}`}
      role={banner.kind === "error" ? "alert" : "status"}
      aria-label="Message"
    >
      <div className="banner-text">
        <strong>{banner.title}</strong>
        {banner.detail && <span>{banner.detail}</span>}
        {banner.problems && <ProblemList problems={banner.problems} />}
      </div>
      <Button
        label="Dismiss message"
        icon={X}
        look="icon"
        onClick={() => useShell.setState({ banner: null })}
      />
    </section>
  );
}
