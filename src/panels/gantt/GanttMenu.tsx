/**
 * The menu of the Gantt, at the pointer: what can be done with the job and the node under it. It is loaded at its first use, because
 * its placing code is a twelfth of the first load and few visits open it.
 */
import { DropdownMenu } from "radix-ui";
import { clockText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import { run } from "../../store/commands.ts";
import { runData } from "../../store/runData.ts";
import { useApp } from "../../store/store.ts";
import type { GanttTarget } from "./ganttInput.ts";

/** Where the menu was asked for, in CSS pixels of the window, and what lay there. */
export interface MenuPlace {
  readonly xCss: number;
  readonly yCss: number;
  readonly target: GanttTarget;
}

export function GanttMenu({
  place,
  onClose,
}: {
  readonly place: MenuPlace;
  readonly onClose: () => void;
}) {
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span
          className="gantt-menu-anchor"
          style={{ left: place.xCss, top: place.yCss }}
          aria-hidden="true"
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          key={`${place.xCss},${place.yCss}`}
          className="menu"
          align="start"
          collisionPadding={8}
          aria-label="What can be done here"
          onCloseAutoFocus={(event) => event.preventDefault()}
        >
          <TargetItems target={place.target} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

function TargetItems({ target }: { readonly target: GanttTarget }) {
  const { stage } = runData.get();
  const nodeName = stage?.cluster.nodeNames[target.node] ?? "";
  const jobId = stage && target.jobIdx >= 0 ? nameOf(stage.jobs.ids, target.jobIdx) : "";
  const cursorMs = useApp.getState().cursorMs;
  const calendar = useApp.getState().scenario?.calendarStart;
  const select = () => run("selectJob", { jobIdx: target.jobIdx });
  return (
    <>
      {jobId !== "" && (
        <>
          <DropdownMenu.Item className="menu-item" onSelect={select}>
            <span className="menu-label">Select job {jobId}</span>
          </DropdownMenu.Item>
          <DropdownMenu.Item
            className="menu-item"
            onSelect={() => {
              select();
              run("fitSelection");
            }}
          >
            <span className="menu-label">Fit job {jobId} to the window</span>
          </DropdownMenu.Item>
        </>
      )}
      {nodeName !== "" && !stage?.cluster.flat && (
        <DropdownMenu.Item
          className="menu-item"
          onSelect={() =>
            run("intervene", {
              intervention: { kind: "drain", nodes: [nodeName] },
              label: `Drain ${nodeName}`,
            })
          }
        >
          <span className="menu-label">
            Drain {nodeName} at {clockText(cursorMs, calendar)}
          </span>
        </DropdownMenu.Item>
      )}
      <DropdownMenu.Item
        className="menu-item"
        onSelect={() => run("toggleDrawer", { drawer: "ganttTable" })}
      >
        <span className="menu-label">Show runs as a table</span>
      </DropdownMenu.Item>
    </>
  );
}
