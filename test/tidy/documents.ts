/** What documents say of the sources: the table of layers in `ARCHITECTURE.md`, the reason for each dependency, files by name. */
import { posix } from "node:path";
import { LAYERS, type Layer } from "./layers.ts";
import { factsOf, type SourceFile } from "./source.ts";

/** Rows of the table "folder, what lives there, may import" that differ from `layers`, and layers without a row or a folder. */
export function tableViolations(
  markdown: string,
  folders: readonly string[],
  layers: Readonly<Record<string, Layer>> = LAYERS,
): string[] {
  const told = new Map<string, string>();
  const above: string[] = [];
  for (const [, names, cell] of markdown.matchAll(/^\| (`[^|]+`) \|[^|]*\| ([^|]+) \|$/gm)) {
    const row = names!.split(",").map((name) => name.trim().replace(/^`|\/x`$|`$/g, ""));
    for (const name of row) told.set(name, importsTold(cell!.trim(), name, above, layers));
    above.push(...row);
  }
  const names = new Set([...Object.keys(layers), ...told.keys(), ...folders]);
  return [...names].flatMap((name) => {
    const layer = layers[name];
    if (layer === undefined) return [`${name}: not in the table of layers`];
    if (!folders.includes(name)) return [`${name}: no such folder`];
    const held = phrase(layer.imports, layer.types ?? []);
    const found = told.get(name) ?? "no row";
    return found === held ? [] : [`${name}: told "${found}", held "${held}"`];
  });
}

function importsTold(
  cell: string,
  name: string,
  above: readonly string[],
  layers: Readonly<Record<string, Layer>>,
): string {
  if (cell === "nothing") return phrase([], []);
  if (cell === "everything above") return phrase(above, []);
  const [, values, types] = /^(?!types of )(.*?)(?:; types of (.*))?$/.exec(cell) ?? [
    cell,
    "",
    cell.replace("types of ", ""),
  ];
  const list = (text: string | undefined) => (text ? text.split(", ") : []);
  const but = values!.startsWith("all but ") ? list(values!.slice("all but ".length)) : null;
  const imports = but
    ? Object.keys(layers).filter((other) => other !== name && !but.includes(other))
    : list(values);
  return phrase(imports, list(types));
}

function phrase(imports: readonly string[], types: readonly string[]): string {
  const told = [...imports].sort().join(", ");
  return types.length === 0 ? told : `${told}; types of ${[...types].sort().join(", ")}`;
}

/** Packages for users that no source imports, and packages that the record of dependencies gives no reason for. */
export function dependencyViolations(
  packages: readonly string[],
  files: readonly SourceFile[],
  record: string,
): string[] {
  const imported = new Set(
    files
      .filter((file) => /\.tsx?$/.test(file.path))
      .flatMap((file) => factsOf(file).imports)
      .map(({ target }) => /^(?:@[^/]+\/)?[^/]+/.exec(target)?.[0]),
  );
  return packages.flatMap((name) => [
    ...(imported.has(name) ? [] : [`${name}: nothing imports it`]),
    ...(record.includes(`| ${name} `) ||
    record.includes(`, ${name} `) ||
    record.includes(`| ${name},`)
      ? []
      : [`${name}: no reason in the record of dependencies`]),
  ]);
}

/** Files that a text or a comment names in backquotes and that are neither beside it, nor in `src`, nor at the root. */
export function namedFileViolations(
  files: readonly SourceFile[],
  exists: (path: string) => boolean,
): string[] {
  return files.flatMap((file) => {
    const folder = posix.dirname(file.path);
    const named = file.text.matchAll(/`([\w./-]*\w\.(?:tsx?|md|mjs|css))`/g);
    return [...new Set([...named].map((match) => match[1]!))]
      .filter((name) => !/^\.[a-z]/.test(name))
      .filter((name) => {
        const places = [folder, posix.dirname(folder), "src", "."];
        return !places.some((place) => exists(posix.join(place, name)));
      })
      .map((name) => `${file.path}: there is no ${name}`);
  });
}
