/** What a preset of the family models, approximates and leaves out, in the words of its document (`docs/policies/`), which the test suite holds it to. */
export interface PresetFacts {
  /** The version whose rules it follows. */
  readonly version: string;
  /** Headings of its rules. */
  readonly modelled: readonly string[];
  readonly approximated: readonly string[];
  readonly notModelled: readonly string[];
  /** Where the rules stand. */
  readonly sources: readonly { readonly name: string; readonly link: string }[];
}
