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

/** Drops files on the sheet, together. */
export async function dropFile(bench: Workbench, ...files: readonly GivenFile[]): Promise<void> {
  const transfer = await bench.page.evaluateHandle(
    (given) => {
      const data = new DataTransfer();
      for (const { name, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name));
      }
      return data;
    },
    files.map((file) => ({ name: file.name, base64: file.buffer.toString("base64") })),
  );
  const target = bench.page.locator("body");
  await target.dispatchEvent("dragenter", { dataTransfer: transfer });
  await target.dispatchEvent("dragover", { dataTransfer: transfer });
  await target.dispatchEvent("drop", { dataTransfer: transfer });
}
