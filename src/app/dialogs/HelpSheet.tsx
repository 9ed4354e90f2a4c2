/** All keys and what they do, from the list of actions; nothing here is typed in by hand. */

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

export function HelpSheet() {
  const actions = allActions().filter((action) => action.keys.length > 0);
  return (
    <Dialog
      title="Keys"
      description="The past is inked, the future is pencilled; dots are promises. Everything you change becomes part of the link."
      size="large"
      open
      onClose={closeDialog}
    >
      <div className="help-groups">
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
      </div>
    </Dialog>
  );
}
