/** Two ways by which files reach the page: the file chooser behind "Open file", and a drop from the desktop. */
import type { Workbench } from "./workbench.ts";

export interface GivenFile {
  readonly name: string;
  readonly mimeType?: string;
  readonly buffer: Buffer;
}

/** Chooses a file behind the button "Open file", as a click would. */
export async function chooseFile(bench: Workbench, file: GivenFile | string): Promise<void> {
  const chooser = bench.page.waitForEvent("filechooser");
  await bench.button("Open file").first().click();
  const given = typeof file === "string" ? file : { mimeType: "application/octet-stream", ...file };
  await (await chooser).setFiles(given);
}

/** Drops a file on the sheet. */
export async function dropFile(bench: Workbench, file: GivenFile): Promise<void> {
  const transfer = await bench.page.evaluateHandle(
    ({ name, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name));
      return data;
    },
    { name: file.name, base64: file.buffer.toString("base64") },
  );
  const target = bench.page.locator("body");
  await target.dispatchEvent("dragenter", { dataTransfer: transfer });
  await target.dispatchEvent("dragover", { dataTransfer: transfer });
  await target.dispatchEvent("drop", { dataTransfer: transfer });
}
