/** What people do all the time: a command from the palette, a file from the desktop by its dialog, a way by Tab. */
import type { Locator } from "@playwright/test";
import type { GivenFile } from "./files.ts";
import type { Workbench } from "./workbench.ts";

/** Opens the palette, types words, runs the first command that they find. */
export async function command(bench: Workbench, words: string): Promise<void> {
  await bench.page.keyboard.press("Control+k");
  const dialog = bench.dialog();
  await dialog.getByRole("option").first().waitFor();
  await bench.page.keyboard.type(words);
  await dialog.getByRole("option", { name: new RegExp(words, "i"), selected: true }).waitFor();
  await bench.press("Enter");
}

/** Chooses files in the dialog that Ctrl+O opens. */
export async function openByKeys(bench: Workbench, ...files: GivenFile[]): Promise<void> {
  // Asked for before the page is waited for: the browser takes a moment to hand its dialogs over, and a dialog that comes before that is lost.
  const chooser = bench.page.waitForEvent("filechooser");
  await bench.idle();
  await bench.page.keyboard.press("Control+o");
  await (await chooser).setFiles(
    files.map((file) => ({ mimeType: "application/octet-stream", ...file })),
  );
}

/** Presses Tab until a thing has the focus. */
export async function tabTo(bench: Workbench, target: Locator): Promise<void> {
  await target.waitFor();
  for (let step = 0; step < 120; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await bench.page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}
