import { notify } from "../../store/notices.ts";

/** Puts a text on the clipboard and says so; where the browser refuses, says what to do instead. */
export function copyText(text: string, done: string): Promise<void> {
  return navigator.clipboard.writeText(text).then(
    () => notify(done),
    () => notify("The browser does not let the page copy. Select the text and press Ctrl+C."),
  );
}
