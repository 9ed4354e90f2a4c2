/** A file may be dropped anywhere on the page; while one is over it the page says what it takes. */
import { useEffect, useState } from "react";
import { takeFiles } from "./files.ts";

export function DropZone() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes("Files") ?? false;
    const onOver = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      void takeFiles([...(event.dataTransfer?.files ?? [])]);
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
          A scenario (JSON) or a job trace: SWF, SWF.gz, CSV of a GPU cluster. It stays on this
          device.
        </p>
      </div>
    </div>
  );
}
