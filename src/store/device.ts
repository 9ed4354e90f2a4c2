/** Small preferences of this device. Where the browser refuses storage they are simply not remembered. */
export function readDevice(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function writeDevice(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private window or full device: the preference holds for this visit.
  }
}

export function dropDevice(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored where storage is refused.
  }
}
