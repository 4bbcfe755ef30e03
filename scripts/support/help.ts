/**
 * Imported by every script that people run: `--help` and `-h` print the comment at the top of the script, which says what it
 * does and how it is called, and nothing is done.
 */
if (Bun.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
  console.log(commentOf(await Bun.file(Bun.main).text()));
  process.exit(0);
}

/** Returns the first comment of a source, without its marks. */
function commentOf(source: string): string {
  const [, comment = ""] = /\/\*\*\n([\s\S]*?)\n \*\//.exec(source) ?? [];
  return comment.replaceAll(/^ \* ?/gm, "");
}
