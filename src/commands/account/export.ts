import { resolve } from "node:path";
import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import { exportAccount } from "../../modules/whole/ownership/service.ts";
import { parseOrExplain, RefusedError, UsageError, type Verb } from "../command.ts";

const USAGE = "dubplate account export --email E DIR [--move]";
const PROGRESS_FILES = 100;

/**
 * `account export`: writes everything that an account has into a folder, for people and for programs. `--move` adds what
 * `import --export` on another machine makes the same account of.
 */
export const exportTo: Verb = {
  usage: USAGE,
  run: async ({ open, args, print, say }) => {
    const { values, positionals } = parseOrExplain(args, USAGE, {
      email: { type: "string" },
      move: { type: "boolean", default: false },
    });
    const [argument, ...more] = positionals;
    if (typeof values.email !== "string" || !argument || more.length > 0) throw new UsageError(USAGE);
    const deps = open();
    const account = getAccountByEmail(deps, values.email);
    const folder = resolve(argument);
    const { problems, ...made } = await exportAccount(deps, account, folder, {
      isMove: values.move === true,
      onFile: (done, total) => {
        if (done > 0 && done % PROGRESS_FILES === 0) say(`${done} of ${total} files so far`);
      },
    });
    print({ email: account.email, folder, ...made });
    for (const { path, problem } of problems) say(`${problem}: ${path}`);
    if (problems.length > 0)
      throw new RefusedError(
        `${problems.length} of the files could not be exported as they were uploaded: a backup may have them`,
      );
  },
};
