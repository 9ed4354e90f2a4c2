/**
 * Catches a programmer's error in a part of the page: the rest goes on, and the part says what happened, with a report to copy
 * (link, engine's digest, message, stack) and a way to try again.
 */

import type { ReactNode } from "react";
import { Component } from "react";
import { notify } from "../store/notices.ts";
import { runData } from "../store/runData.ts";
import { Button } from "../ui/Button.tsx";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
}

export class PanelBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="crash" role="alert">
        <h1>The {this.props.name} could not be drawn.</h1>
        <pre>{error.message}</pre>
        <div>
          <Button label="Try again" look="primary" onClick={() => this.setState({ error: null })} />{" "}
          <Button
            label="Copy report"
            onClick={() => void copyReport(reportOf(this.props.name, error))}
          />
        </div>
      </div>
    );
  }
}

async function copyReport(report: string): Promise<void> {
  await navigator.clipboard.writeText(report).then(
    () => notify("Report copied."),
    () => notify("The browser does not let the page copy. The address bar holds the link."),
  );
}

/** Everything needed to see the error again: the link holds the document and the view. */
function reportOf(part: string, error: Error): string {
  const { current } = runData.get();
  return [
    `Queuescope: error in ${part}`,
    location.href,
    `digest ${current.digest || "–"}`,
    navigator.userAgent,
    error.stack ?? error.message,
  ].join("\n");
}
