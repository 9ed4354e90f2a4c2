/**
 * A file may be dropped anywhere on the page, also on a dialog, which then gives way; while one is over it the page says what it
 * takes. Anything else that is dropped is refused in words: left to itself the browser would go to a dropped address.
 */
import { useEffect, useState } from "react";
import { notify } from "../store/notices.ts";
import { refuseFolder, takeFiles } from "./files.ts";

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

/** Text that is dropped into a text field belongs to the field. */
function isForField(event: DragEvent): boolean {
  const { target } = event;
  return (
    !hasFiles(event) && target instanceof Element && target.closest("input, textarea") !== null
  );
}

/** The name of the first folder among what was dropped. */
function folderOf(transfer: DataTransfer | null): string | null {
  for (const item of transfer?.items ?? []) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
    if (entry?.isDirectory) return entry.name;
  }
  return null;
}

export function DropZone() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (event: DragEvent): void => {
      if (isForField(event)) return;
      event.preventDefault();
      if (hasFiles(event)) setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (isForField(event)) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      const folder = folderOf(event.dataTransfer);
      if (folder !== null) refuseFolder(folder);
      else if (files.length > 0) void takeFiles(files);
      else
        notify(
          "Only files can be dropped here: a scenario (JSON), a job trace, or the files of a Slurm cluster.",
        );
    };
    addEventListener("dragover", onOver);
    addEventListener("dragleave", onLeave);
    addEventListener("drop", onDrop);
    return () => {
      removeEventListener("dragover", onOver);
      removeEventListener("dragleave", onLeave);
      removeEventListener("drop", onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="drop">
      <div>
        Drop to open
        <p>
          A scenario (JSON), a job trace (SWF, SWF.gz, CSV of a GPU cluster, output of sacct), or
          slurm.conf with the files beside it. They stay on this device.
        </p>
      </div>
    </div>
  );
}
