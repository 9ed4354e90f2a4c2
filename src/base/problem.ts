/**
 * What is wrong with something that came from outside, where, and what to do about it. Every reader of files, links and
 * documents reports problems in this one form, so that page and command line can show them alike.
 */
export interface Problem {
  /** Where: `file.swf:17`, `line 17, column num_gpu`, `/cluster/nodeGroups/0/gpus`. */
  readonly place: string;
  /** What is wrong, one sentence. */
  readonly message: string;
  /** What the user can do, one sentence. */
  readonly remedy: string;
}
