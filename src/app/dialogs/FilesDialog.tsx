/** What is kept on this device: traces by name, size and content, each deletable. */

import { Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { run } from "../../store/commands.ts";
import type { KeptTrace } from "../../store/database.ts";
import { allTraces, dropTrace } from "../../store/database.ts";
import { notify } from "../../store/notices.ts";
import { closeDialog } from "../../store/shellState.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Message } from "../../ui/Message.tsx";
import { sizeText } from "./sizeText.ts";

export function FilesDialog() {
  const [traces, setTraces] = useState<readonly KeptTrace[] | null>(null);
  useEffect(() => {
    void allTraces().then(setTraces);
  }, []);
  const drop = async (trace: KeptTrace): Promise<void> => {
    const dropped = await dropTrace(trace.sha256);
    if (!dropped.ok) notify(`${trace.name} could not be deleted. Reload the page and try again.`);
    setTraces(await allTraces());
  };
  const total = (traces ?? []).reduce((sum, trace) => sum + trace.bytes, 0);
  return (
    <Dialog
      title="Stored files"
      description="Traces kept on this device. A dropped trace stays in this browser, so that a reload finds it. It is never sent anywhere, and no link carries it."
      open
      onClose={closeDialog}
      actions={<Button label="Open a file" look="primary" onClick={() => run("openFile")} />}
    >
      {traces === null ? null : traces.length === 0 ? (
        <Message title="No traces yet.">
          Drop a file on the page, or open one: SWF logs, output of sacct and CSV of GPU clusters
          are read.
        </Message>
      ) : (
        <table className="files">
          <thead>
            <tr>
              <th>Name</th>
              <th className="n">Size</th>
              <th>SHA-256</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {traces.map((trace) => (
              <tr key={trace.sha256}>
                <td>{trace.name}</td>
                <td className="n">{sizeText(trace.bytes)}</td>
                <td>
                  <code>{trace.sha256.slice(0, 16)}…</code>
                </td>
                <td>
                  <Button
                    label={`Delete ${trace.name}`}
                    icon={Trash2}
                    look="icon"
                    onClick={() => void drop(trace)}
                  />
                </td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td>Together</td>
              <td className="n">{sizeText(total)}</td>
              <td />
              <td />
            </tr>
          </tfoot>
        </table>
      )}
    </Dialog>
  );
}
