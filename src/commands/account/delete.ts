import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import { normaliseEmail } from "../../modules/people/people/service.ts";
import { deleteAccount } from "../../modules/whole/ownership/service.ts";
import { type Command, RefusedError } from "../command.ts";

/** `account delete`: deletes an account and everything that it has, after its address was typed. */
export const deleteWhole: Command<"account delete"> = async ({ open, options, print, say, ask }) => {
  const deps = open();
  const account = getAccountByEmail(deps, options.email, options.library);
  if (!options.yes) {
    const files = options.purge ? "Its files are deleted at once." : "Its files go to the quarantine.";
    say(`This deletes the account ${account.email} and its library. ${files}`);
    const typed = await ask("Type the e-mail address to go on: ");
    if (normaliseEmail(typed) !== account.email)
      throw new RefusedError("The address is another one: nothing was deleted");
  }
  const deleted = await deleteAccount(deps, account, { isErased: options.purge });
  print({ id: account.id, email: account.email, ...deleted, purged: options.purge });
};
