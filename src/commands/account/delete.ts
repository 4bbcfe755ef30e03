import { getAccountByEmail, normaliseEmail } from "../../modules/people/accounts/service.ts";
import { deleteAccount } from "../../modules/whole/ownership/service.ts";
import { type Command, parseOrExplain, RefusedError, UsageError, type Verb } from "../command.ts";

const USAGE = "dubplate account delete --email E [--yes] [--purge]";

/** `account delete`: deletes an account and everything that it has, after its address was typed. */
const run: Command = async ({ open, args, print, say, ask }) => {
  const { values, positionals } = parseOrExplain(args, USAGE, {
    email: { type: "string" },
    yes: { type: "boolean" },
    purge: { type: "boolean" },
  });
  if (typeof values.email !== "string" || positionals.length > 0) throw new UsageError(USAGE);
  const deps = open();
  const account = getAccountByEmail(deps, values.email);
  if (!values.yes) {
    const files = values.purge ? "Its files are deleted at once." : "Its files go to the quarantine.";
    say(`This deletes the account ${account.email} and its library. ${files}`);
    const typed = await ask("Type the e-mail address to go on: ");
    if (normaliseEmail(typed) !== account.email)
      throw new RefusedError("The address is another one: nothing was deleted");
  }
  const deleted = await deleteAccount(deps, account, { isErased: values.purge === true });
  print({ id: account.id, email: account.email, ...deleted, purged: values.purge === true });
};

export const deleteWhole: Verb = { usage: USAGE, run };
