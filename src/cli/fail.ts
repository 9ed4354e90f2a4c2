/** How a call ends when it cannot go on: a message for people and the exit status that the contract gives it. */
import type { Problem } from "../base/problem.ts";

export const EXIT_FELL_SHORT = 1;
export const EXIT_WRONG_CALL = 2;

export class CliFailure extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

/** The call itself is wrong: unknown policy, option out of range, file that is not there. */
export function wrongCall(message: string): CliFailure {
  return new CliFailure(message, EXIT_WRONG_CALL);
}

/** The call is right but what it names cannot be done: each problem with its place and remedy on a line of its own. */
export function fellShort(problems: readonly Problem[]): CliFailure {
  return new CliFailure(problems.map(problemLine).join("\n"), EXIT_FELL_SHORT);
}

export function problemLine({ place, message, remedy }: Problem): string {
  return `${place}: ${message} ${remedy}`.trim();
}

/** Messages for people; standard output stays machine-readable. */
export function say(message: string): void {
  process.stderr.write(`${message}\n`);
}
