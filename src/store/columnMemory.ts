/** Keeps the choice of columns of a table on this device. */
import { dropDevice, readDevice, writeDevice } from "./device.ts";

const KEY = "queuescope.columns.";

export function columnMemory(table: string): {
  read(): string | null;
  write(text: string | null): void;
} {
  return {
    read: () => readDevice(KEY + table),
    write: (text) => (text === null ? dropDevice(KEY + table) : writeDevice(KEY + table, text)),
  };
}
