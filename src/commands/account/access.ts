import type { Deps } from "../../kernel/deps.ts";
import { getAccountByEmail, nameOperator, setActive } from "../../modules/people/accounts/service.ts";
import { type Command, RefusedError } from "../command.ts";

/** `account disable`: every door refuses the account, and its public links open nothing. Its data stays. */
export const disable: Command<"account disable"> = ({ open, options, print }) =>
  print(setActive(open(), options.email, false));

/** `account enable`: the account's password, keys, sessions, programs and links work again. */
export const enable: Command<"account enable"> = ({ open, options, print }) =>
  print(setActive(open(), options.email, true));

/** `account operator`: the account sees and changes the server in its console, and no other does. */
export const operator: Command<"account operator"> = ({ open, options: { email }, print }) => {
  const deps = open();
  refuseDisabled(deps, email);
  print(nameOperator(deps, email));
};

/** @throws RefusedError for a disabled account, which could not use what a command would make for it. */
export function refuseDisabled(deps: Pick<Deps, "db">, email: string): void {
  const account = getAccountByEmail(deps, email);
  if (!account.active)
    throw new RefusedError(`The account ${account.email} is disabled: run account enable first`);
}
