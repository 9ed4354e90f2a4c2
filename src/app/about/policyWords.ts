/** The Content-Security-Policy of the page in words, directive by directive, so that "nothing leaves this machine" can be read and not only believed. */

/** What a directive is about; what is not here is shown by its own name. */
const ABOUT: Readonly<Record<string, string>> = {
  "default-src": "Whatever is not named below",
  "script-src": "Programs",
  "worker-src": "The simulation’s own thread",
  "style-src": "Styles",
  "img-src": "Pictures",
  "font-src": "Fonts",
  "connect-src": "Requests over the network",
  "manifest-src": "The description for installing",
  "base-uri": "Another base for addresses",
  "form-action": "Sending forms",
  "object-src": "Plug-ins",
};

const SOURCES: Readonly<Record<string, string>> = {
  "'none'": "nothing",
  "'self'": "only the place that the page itself came from",
  "'unsafe-inline'": "what stands in the page",
  "data:": "what the page makes itself",
  "blob:": "what the page makes itself",
};

export interface PolicyRow {
  readonly about: string;
  readonly allowed: string;
  readonly directive: string;
}

/** `default-src 'none'; …` → rows. */
export function policyRows(policy: string): readonly PolicyRow[] {
  return policy
    .split(";")
    .map((directive) => directive.trim())
    .filter((directive) => directive !== "")
    .map((directive) => {
      const [name = "", ...sources] = directive.split(/\s+/);
      const words = new Set(sources.map((source) => SOURCES[source] ?? source));
      return { about: ABOUT[name] ?? name, allowed: [...words].join(", "), directive };
    });
}

/** The policy that this page carries; empty while developing. */
export function policyOfPage(): string {
  return (
    document.querySelector<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
      ?.content ?? ""
  );
}
