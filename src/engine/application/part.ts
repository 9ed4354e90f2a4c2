/** What applications do by themselves as a part of its own: only worlds need it in which jobs have a life (`JobTable.lab`), and a page fetches it for those. */
import { broken } from "../ledger.ts";
import type { Application } from "./application.ts";

type ApplicationClass = new (...parts: ConstructorParameters<typeof Application>) => Application;
let known: ApplicationClass | null = null;

/** Makes it known to this engine. */
export function addApplication(part: ApplicationClass): void {
  known = part;
}

/** Whether worlds in which jobs have a life of their own can run. */
export function hasApplication(): boolean {
  return known !== null;
}

/** Throws where the part was not added, which is a bug. */
export function newApplication(...parts: ConstructorParameters<typeof Application>): Application {
  if (known === null) broken("what applications do by themselves is not there");
  return new known(...parts);
}
