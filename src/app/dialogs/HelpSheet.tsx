/** All keys and what they do, from the list of actions; then what the pointer does on the sheet, which no action names. */

import { closeDialog } from "../../store/shellState.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import type { Action } from "../actions.ts";
import { allActions } from "../actions.ts";

const GROUPS: readonly (readonly [Action["group"], string])[] = [
  ["play", "Time"],
  ["view", "View"],
  ["select", "Selection and search"],
  ["edit", "Changes"],
  ["file", "Files and links"],
  ["help", "Help"],
];

/** What the Gantt, the axis and the minimap make of the pointer. */
const POINTER: readonly (readonly [string, string])[] = [
  ["Wheel", "Scroll the rows"],
  ["Ctrl + wheel", "Zoom time around the pointer"],
  ["Shift + wheel", "Move time"],
  ["Drag a bar", "Move time and rows"],
  ["Drag free ground", "Mark a stretch of time, then zoom into it"],
  ["Click", "Select a bar, a waiting job or a node; on the axis: move the cursor there"],
  ["Right click", "What can be done with a bar or a node"],
];

export function HelpSheet() {
  const actions = allActions().filter((action) => action.keys.length > 0);
  return (
    <Dialog
      title="Keys and pointer"
      description="The past is inked, the future is pencilled; dots are promises. Everything you change becomes part of the link."
      size="large"
      open
      onClose={closeDialog}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with more keys than fit, the arrow keys scroll it. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a list of lists, no form. */}
      <div className="help-groups" role="group" aria-label="Keys and gestures" tabIndex={0}>
        {GROUPS.map(([group, title]) => (
          <section key={group}>
            <h3>{title}</h3>
            <dl>
              {actions
                .filter((action) => action.group === group)
                .map((action) => (
                  <div key={action.id}>
                    <dt>
                      {action.keys.map((keys) => (
                        <Kbd key={keys} keys={keys} />
                      ))}
                    </dt>
                    <dd>{action.label}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Pointer</h3>
          <dl>
            {POINTER.map(([gesture, effect]) => (
              <div key={gesture}>
                <dt>{gesture}</dt>
                <dd>{effect}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
