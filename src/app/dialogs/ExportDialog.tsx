/** Pictures of panels, with a preview of what will be saved, and the run as tables. */
import { Copy, Download } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { countText, numberText } from "../../base/format.ts";
import { run } from "../../store/commands.ts";
import { notify } from "../../store/notices.ts";
import { runData } from "../../store/runData.ts";
import { closeDialog } from "../../store/shellState.ts";
import { useApp } from "../../store/store.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Select } from "../../ui/Select.tsx";
import type { Picture, PictureWish } from "../share/picture/makePicture.ts";
import { makePicture } from "../share/picture/makePicture.ts";
import { picturePanels } from "../share/picture/panels.ts";
import { fileStem, saveFile } from "../share/saveFile.ts";
import { type DataTable, ROWS_MOST } from "../share/tables/columns.ts";
import { csvFile } from "../share/tables/csvFile.ts";
import { runTable, TABLE_WORDS, TABLES, type TableName } from "../share/tables/runTables.ts";
import { sizeText } from "./sizeText.ts";
import "./share.css";

export function ExportDialog() {
  return (
    <Dialog
      title="Picture or data"
      description="What is on screen now, as a file. A picture holds its link: dropped on this page it opens the scenario at this moment."
      size="large"
      open
      onClose={closeDialog}
      actions={<Button label="Share a link" onClick={() => run("openShare")} />}
    >
      <PictureForm />
      <DataForm />
    </Dialog>
  );
}

function presentTheme(): "light" | "dark" {
  return document.documentElement.dataset.theme === "dark" ? "dark" : "light";
}

function PictureForm() {
  const panels = useMemo(picturePanels, []);
  const [wish, setWish] = useState<PictureWish>(() => ({
    panel: panels[0]?.id ?? "sheet",
    format: "png",
    scale: 2,
    theme: presentTheme(),
  }));
  const shown = usePicture(wish);
  const change = (part: Partial<PictureWish>): void => setWish((now) => ({ ...now, ...part }));
  const none = shown.picture === null ? (shown.problem ?? "The picture is being made") : null;
  return (
    <section className="export-picture" aria-label="Picture">
      <div className="export-form">
        <h3 className="dialog-h">Picture</h3>
        <Select
          label="Panel"
          value={wish.panel}
          options={panels.map(({ id, label }) => ({ value: id, label }))}
          onChange={(panel) => change({ panel })}
        />
        <Select
          label="Format"
          value={wish.format === "svg" ? "svg" : wish.scale === 1 ? "png1" : "png2"}
          options={[
            { value: "png2", label: "PNG, 2×" },
            { value: "png1", label: "PNG, 1×" },
            { value: "svg", label: "SVG, shapes" },
          ]}
          onChange={(value) =>
            change({ format: value === "svg" ? "svg" : "png", scale: value === "png1" ? 1 : 2 })
          }
        />
        <Select
          label="Theme"
          value={wish.theme}
          options={[
            { value: "light", label: "Light" },
            { value: "dark", label: "Dark" },
          ]}
          onChange={(theme) => change({ theme })}
        />
        <div className="export-buttons">
          <Button
            label="Save picture"
            icon={Download}
            look="primary"
            disabledReason={none}
            onClick={() => shown.picture && saveFile(shown.picture.content, shown.picture.name)}
          />
          <Button
            label="Copy picture"
            icon={Copy}
            disabledReason={none ?? (wish.format === "svg" ? "Browsers copy PNG only" : null)}
            onClick={() => shown.picture && void copyPicture(shown.picture.content)}
          />
        </div>
        <p className="field-hint" role="status">
          {shown.problem ?? (shown.picture ? factsOf(shown.picture) : "Drawing …")}
        </p>
      </div>
      <div className="export-preview">
        {shown.address && <img src={shown.address} alt={`Preview of the picture: ${wish.panel}`} />}
      </div>
    </section>
  );
}

function factsOf({ width, height, content, note }: Picture): string {
  const size = `${numberText(width)} × ${numberText(height)} px, ${sizeText(content.size)}.`;
  return note === null ? size : `${size} ${note}`;
}

const ADDRESS_KEPT_MS = 10_000;

interface Shown {
  readonly picture: Picture | null;
  readonly address: string | null;
  readonly problem: string | null;
}

/** The picture of a wish and an address to show it at; the former one stays until it is there. */
function usePicture(wish: PictureWish): Shown {
  const [shown, setShown] = useState<Shown>({ picture: null, address: null, problem: null });
  useEffect(() => {
    let wanted = true;
    let address: string | null = null;
    makePicture(wish).then(
      (picture) => {
        if (!wanted) return;
        address = picture && URL.createObjectURL(picture.content);
        setShown({ picture, address, problem: picture ? null : "This panel is not on the page." });
      },
      () =>
        wanted &&
        setShown({
          picture: null,
          address: null,
          problem: "This browser cannot draw a picture of this size. Choose 1× or a single panel.",
        }),
    );
    return () => {
      wanted = false;
      const old = address;
      // The picture that is shown may still be loading.
      if (old !== null) setTimeout(() => URL.revokeObjectURL(old), ADDRESS_KEPT_MS);
    };
  }, [wish]);
  return shown;
}

function copyPicture(content: Blob): Promise<void> {
  return Promise.resolve()
    .then(() => navigator.clipboard.write([new ClipboardItem({ [content.type]: content })]))
    .then(
      () => notify("Picture copied. A program that pastes it may drop the link it holds."),
      () => notify("The browser does not let the page copy pictures. Save it instead."),
    );
}

/** Long tables take seconds: it is said before, and the words are on screen before the work begins. */
async function saveTable(table: DataTable, stem: string, format: "csv" | "arrow"): Promise<void> {
  const name = `${stem}.${format}`;
  notify(`Writing ${name} …`);
  try {
    const { arrowFile } = await import("../share/tables/arrowFile.ts");
    await new Promise((resolve) => setTimeout(resolve, SHOWN_MS));
    const content =
      format === "csv"
        ? new Blob(await csvFile(table), { type: "text/csv" })
        : new Blob([arrowFile(table)], { type: "application/vnd.apache.arrow.file" });
    saveFile(content, name);
  } catch {
    notify(`${name} could not be written. Choose a shorter stretch of time and try again.`);
  }
}

/** Two frames. */
const SHOWN_MS = 40;

type Extent = "screen" | "run";

function DataForm() {
  const [name, setName] = useState<TableName>("jobs");
  const [extent, setExtent] = useState<Extent>("screen");
  const { stage, current } = runData.get();
  const { scenario, window } = useApp.getState();
  const hasGauges = current.chunks.some(({ gauges }) => gauges.atMs.length > 0);
  const table = useMemo(() => {
    const all = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
    return (
      stage &&
      runTable(name, {
        stage,
        future: current,
        scenario,
        window: extent === "run" ? all : window,
      })
    );
  }, [name, extent, stage, current, scenario, window]);
  const none = !table || table.rows === 0 ? "There is nothing in this stretch" : null;
  const stem = `${fileStem(scenario?.title ?? "")}-${name}`;
  return (
    <section aria-label="Data">
      <h3 className="dialog-h">Data</h3>
      <div className="field-row">
        <Select
          label="Table"
          value={name}
          options={TABLES.filter((one) => one !== "gauges" || hasGauges).map((value) => ({
            value,
            label: TABLE_WORDS[value],
          }))}
          onChange={setName}
        />
        <Select
          label="Stretch of time"
          value={extent}
          options={[
            { value: "screen", label: "On screen" },
            { value: "run", label: "Whole run" },
          ]}
          onChange={setExtent}
        />
      </div>
      <div className="export-buttons">
        <Button
          label="Save CSV"
          icon={Download}
          disabledReason={none}
          onClick={() => table && void saveTable(table, stem, "csv")}
        />
        <Button
          label="Save Arrow"
          icon={Download}
          disabledReason={none}
          onClick={() => table && void saveTable(table, stem, "arrow")}
        />
      </div>
      {table && (
        <p className="field-hint" role="status">
          {countText(table.rows, "row")}:{" "}
          {table.columns.map(({ name: column }) => column).join(", ")}.
          {table.leftOut > 0 &&
            ` ${numberText(table.leftOut)} more are left out: a file takes ${numberText(ROWS_MOST)}. Choose a shorter stretch.`}
        </p>
      )}
    </section>
  );
}
