/** Files in and out. A file that is not there is a wrong call; a directory where a file is meant, too. */
import { readFileSync, writeFileSync } from "node:fs";
import { wrongCall } from "./fail.ts";

export function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw wrongCall(`${path}: ${fileMessage(error)}`);
  }
}

export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw wrongCall(`${path}: ${fileMessage(error)}`);
  }
}

export function fileMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "this is a folder";
  if (code === "EACCES") return "reading or writing it is not permitted";
  if (code === "ENOSPC") return "there is no room left";
  return message;
}
