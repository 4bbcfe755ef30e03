import { createHash } from "node:crypto";
import { join } from "node:path";

/** Written by servers above the mail itself. */
const TRACE = /^(return-path|received|delivered-to|x-original-to|envelope-to|delivery-date):/i;
const QUIET_MS = 2000;

/** Reads what a server has delivered, once nothing more comes: SHA-256 of each copy as it was sent, by Message-ID. */
export async function copiesIn(folder: string): Promise<Map<string, string[]>> {
  const list = () => [...new Bun.Glob("{new,cur}/*").scanSync(folder)];
  for (let count = -1; count !== list().length; ) {
    count = list().length;
    await Bun.sleep(QUIET_MS);
  }
  const copies = new Map<string, string[]>();
  for (const name of list()) {
    const source = withoutTrace((await Bun.file(join(folder, name)).text()).replaceAll("\r\n", "\n"));
    const id = /^Message-ID: <(.*)>/im.exec(source)?.[1] ?? "";
    const known = copies.get(id) ?? [];
    copies.set(id, [...known, createHash("sha256").update(source).digest("hex")]);
  }
  return copies;
}

function withoutTrace(source: string): string {
  const fields = source.split(/\n(?![ \t])/);
  const first = fields.findIndex((field) => !TRACE.test(field));
  return fields.slice(first).join("\n");
}
