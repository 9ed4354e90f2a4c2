// Imported before anything else: an old Node stops here with a sentence instead of a syntax error further down.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const fits = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;
if (!fits) {
  process.stderr.write(
    `Queuescope needs Node 20.19 or newer in the 20 line, or 22.12 and newer; this is ${process.versions.node}.\n` +
      "Install a current version from https://nodejs.org and run the same command again.\n",
  );
  process.exit(1);
}
