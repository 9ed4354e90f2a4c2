/**
 * The menu of the Gantt, at the pointer: what can be done with the job and the node under it, and what the rows are. It is loaded at its first
 * use, because its placing code is a twelfth of the first load and few visits open it.
 */
import { Check, ChevronRight } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { clockText } from "../../base/format.ts";
import { nameOf } from "../../model/jobs.ts";
import type { Stage } from "../../protocol/messages.ts";
import { disabledReason, run } from "../../store/commands.ts";
import { runData } from "../../store/runData.ts";
import type { Grouping } from "../../store/state.ts";
import { useApp } from "../../store/store.ts";
import type { GanttTarget } from "./ganttInput.ts";
import { canGroup, GROUP_WORDS } from "./groupWords.ts";

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

function Item({
  label,
  why = null,
  onSelect,
}: {
  readonly label: string;
  /** Why it cannot be done now. */
  readonly why?: string | null;
  readonly onSelect: () => void;
}) {
  return (
    <DropdownMenu.Item className="menu-item" disabled={why !== null} onSelect={onSelect}>
      <span className="menu-label">{label}</span>
      {why !== null && <span className="menu-why">{why}</span>}
    </DropdownMenu.Item>
  );
}

function Submenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <DropdownMenu.Sub>
      <DropdownMenu.SubTrigger className="menu-item">
        <span className="menu-label">{label}</span>
        <ChevronRight size={14} aria-hidden />
      </DropdownMenu.SubTrigger>
      <DropdownMenu.Portal>
        <DropdownMenu.SubContent className="menu" collisionPadding={8}>
          {children}
        </DropdownMenu.SubContent>
      </DropdownMenu.Portal>
    </DropdownMenu.Sub>
  );
}

function TargetItems({ target }: { readonly target: GanttTarget }) {
  const { stage } = runData.get();
  const nodeName = stage?.cluster.flat ? "" : (stage?.cluster.nodeNames[target.node] ?? "");
  return (
    <>
      {stage && target.jobIdx >= 0 && target.jobIdx < stage.jobs.count && (
        <DropdownMenu.Group className="menu-group">
          <JobItems stage={stage} jobIdx={target.jobIdx} />
        </DropdownMenu.Group>
      )}
      {nodeName !== "" && (
        <DropdownMenu.Group className="menu-group">
          <NodeItems node={target.node} name={nodeName} />
        </DropdownMenu.Group>
      )}
      <DropdownMenu.Group className="menu-group">
        {stage && <GroupItems stage={stage} />}
        <Item
          label="Bookmark at the cursor"
          why={disabledReason("addBookmark")}
          onSelect={() => run("addBookmark", { range: false })}
        />
        <Item
          label="Edit the cluster"
          why={disabledReason("openCluster")}
          onSelect={() => run("openCluster")}
        />
        <Item
          label="Show runs as a table"
          why={disabledReason("toggleDrawer")}
          onSelect={() => run("toggleDrawer", { drawer: "ganttTable" })}
        />
      </DropdownMenu.Group>
    </>
  );
}

function JobItems({ stage, jobIdx }: { readonly stage: Stage; readonly jobIdx: number }) {
  const { cursorMs, scenario } = useApp.getState();
  const at = clockText(cursorMs, scenario?.calendarStart);
  const job = nameOf(stage.jobs.ids, jobIdx);
  const over = isOver(jobIdx, cursorMs) ? "it has ended by then" : null;
  const early = stage.jobs.at.submitMs[jobIdx]! > cursorMs ? "not submitted yet" : null;
  const select = () => run("selectJob", { jobIdx });
  return (
    <>
      <Item label={`Select job ${job}`} onSelect={select} />
      <Item
        label={`Why job ${job} is where it is`}
        why={disabledReason("focusPanel")}
        onSelect={() => {
          select();
          run("focusPanel", { panel: "inspector" });
        }}
      />
      <Item
        label={`Fit job ${job} to the window`}
        onSelect={() => {
          select();
          run("fitSelection");
        }}
      />
      <Item
        label={`Copy link to job ${job}`}
        onSelect={() => {
          select();
          run("copyLink");
        }}
      />
      <Item
        label={`Cancel job ${job} at ${at}`}
        why={over ?? early}
        onSelect={() =>
          run("intervene", { intervention: { kind: "cancel", job }, label: `Cancel job ${job}` })
        }
      />
      {stage.tiers.length > 1 && over === null && (
        <Submenu label={`Move job ${job} to tier`}>
          {stage.tiers.map((tier, index) => (
            <Item
              key={tier.id}
              label={tier.name}
              why={stage.jobs.at.tier[jobIdx] === index ? "its tier at submission" : null}
              onSelect={() =>
                run("intervene", {
                  intervention: { kind: "retier", job, tier: tier.id },
                  label: `Move job ${job} to ${tier.name}`,
                })
              }
            />
          ))}
        </Submenu>
      )}
    </>
  );
}

const NODE_CHANGES = [
  { word: "Drain", intervention: { kind: "drain" } },
  { word: "Fail", intervention: { kind: "fail" } },
  { word: "Resume", intervention: { kind: "resume" } },
] as const;

function NodeItems({ node, name }: { readonly node: number; readonly name: string }) {
  const { cursorMs, scenario } = useApp.getState();
  const at = clockText(cursorMs, scenario?.calendarStart);
  return (
    <>
      <Item label={`Select node ${name}`} onSelect={() => run("selectNode", { node })} />
      {NODE_CHANGES.map(({ word, intervention }) => (
        <Item
          key={word}
          label={`${word} ${name} at ${at}`}
          onSelect={() =>
            run("intervene", {
              intervention: { ...intervention, nodes: [name] },
              label: `${word} ${name}`,
            })
          }
        />
      ))}
      <Item
        label={`Label ${name} from ${at} …`}
        why={disabledReason("openSide")}
        onSelect={() => {
          run("selectNode", { node });
          run("openSide", { side: "label" });
        }}
      />
      <Item
        label={`Copy link to node ${name}`}
        onSelect={() => {
          run("selectNode", { node });
          run("copyLink");
        }}
      />
    </>
  );
}

function GroupItems({ stage }: { readonly stage: Stage }) {
  const { grouping } = useApp.getState();
  return (
    <Submenu label="Rows by">
      <DropdownMenu.RadioGroup
        value={grouping}
        onValueChange={(by) => run("groupRows", { by: by as Grouping })}
      >
        {(Object.keys(GROUP_WORDS) as Grouping[])
          .filter((by) => canGroup(stage, by))
          .map((by) => (
            <DropdownMenu.RadioItem key={by} value={by} className="menu-item">
              <span className="menu-check">
                <DropdownMenu.ItemIndicator>
                  <Check size={14} aria-hidden />
                </DropdownMenu.ItemIndicator>
              </span>
              <span className="menu-label">{GROUP_WORDS[by]}</span>
            </DropdownMenu.RadioItem>
          ))}
      </DropdownMenu.RadioGroup>
    </Submenu>
  );
}

/** Whether the last run of a job had ended by then and nothing of it is open. O(runs). */
function isOver(jobIdx: number, atMs: number): boolean {
  const { current } = runData.get();
  let lastEndMs = Number.NEGATIVE_INFINITY;
  for (const { runs } of current.chunks)
    for (
      let row = runs.jobIdx.indexOf(jobIdx);
      row >= 0;
      row = runs.jobIdx.indexOf(jobIdx, row + 1)
    )
      lastEndMs = Math.max(lastEndMs, runs.endMs[row]!);
  const open = current.open;
  const goesOn =
    open !== null && (open.rects.jobIdx.includes(jobIdx) || open.waits.jobIdx.includes(jobIdx));
  return !goesOn && current.done && lastEndMs <= atMs;
}
