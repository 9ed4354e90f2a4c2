/**
 * A dialog that fills the page has a place in the address, `&p=<name>` behind the scenario: a link can lead to it, and Back returns to it from a scenario that was opened out of it.
 */
import type { ShellDialog } from "./shellState.ts";

const PAGES = ["orchestrators"] as const;
export type PageName = (typeof PAGES)[number];

/** The page that is open, if it is one with an address. */
export function pageOf({ kind }: ShellDialog): PageName | null {
  return PAGES.find((name) => name === kind) ?? null;
}

/** The page that an address leads to; null where it names none. */
export function pageIn(address: string): PageName | null {
  const hash = address.includes("#") ? address.slice(address.indexOf("#") + 1) : "";
  return PAGES.find((name) => hash.split("&").includes(`p=${name}`)) ?? null;
}

/** The same address with another page, or without one. */
export function withPage(address: string, page: PageName | null): string {
  const at = address.indexOf("#");
  const before = at < 0 ? address : address.slice(0, at);
  const parts = at < 0 ? [] : address.slice(at + 1).split("&");
  const kept = parts.filter((part) => part !== "" && !part.startsWith("p="));
  if (page !== null) kept.push(`p=${page}`);
  return kept.length === 0 ? before : `${before}#${kept.join("&")}`;
}
