import { resolve } from "node:path";
import { importAccount } from "../../modules/whole/ownership/service.ts";
import type { CommandContext } from "../command.ts";

const PROGRESS_FILES = 100;

/** `import --export`: makes an account what it was on the Dubplate that exported it. Safe to run twice. */
export async function takeExport(
  { open, print, say }: Pick<CommandContext, "open" | "print" | "say">,
  folder: string,
): Promise<void> {
  const imported = await importAccount(open(), resolve(folder), {
    onFile: (done, total) => {
      if (done % PROGRESS_FILES === 0) say(`${done} of ${total} files so far`);
    },
    onLeftOut: (what) => say(`Left out: ${what}`),
    onNote: say,
  });
  print(imported);
  if (!imported.isNew) say(`${imported.email} is here already: its rows stay as they are`);
}
