import { resolve } from "node:path";
import { MODULES } from "../../modules/index.ts";
import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import { exportAccount } from "../../modules/whole/ownership/service.ts";
import { type Command, RefusedError } from "../command.ts";

const PROGRESS_FILES = 100;

/**
 * `account export`: writes everything that an account has into a folder, for people and for programs. `--move` adds what
 * `import --export` on another machine makes the same account of.
 */
export const exportTo: Command<"account export"> = async ({ open, options, words, print, say }) => {
  const deps = open();
  const account = getAccountByEmail(deps, options.email, options.library);
  const folder = resolve(words[0] ?? "");
  const lists = MODULES.flatMap((module) => module.exported ?? []);
  const { problems, notes, ...made } = await exportAccount(deps, account, folder, lists, {
    isMove: options.move,
    onFile: (done, total) => {
      if (done > 0 && done % PROGRESS_FILES === 0) say(`${done} of ${total} files so far`);
    },
  });
  print({ email: account.email, folder, ...made });
  for (const note of notes) say(note);
  for (const { path, problem } of problems) say(`${problem}: ${path}`);
  if (problems.length > 0)
    throw new RefusedError(
      `${problems.length} of the files could not be exported as they were uploaded: a backup may have them`,
    );
};
