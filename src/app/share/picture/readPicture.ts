import type { PictureText } from "./pictureText.ts";
import { pictureTextOf } from "./pictureText.ts";

/** What a picture says of where it comes from; null where it says nothing or is larger than any we make. */
export async function readPicture(file: File, mostBytes: number): Promise<PictureText | null> {
  if (file.size > mostBytes) return null;
  return pictureTextOf(new Uint8Array(await file.arrayBuffer()));
}
