import type { Deps } from "../../kernel/deps.ts";
import { getPersonByEmail, nameOperator, setActive, shutOut } from "../../modules/people/accounts/service.ts";
import { type Command, RefusedError } from "../command.ts";

/** `account disable`: every door refuses the account, and its public links open nothing. Its data stays. */
export const disable: Command<"account disable"> = ({ open, options, print }) =>
  print(setActive(open(), options, false));

/** `account enable`: the account's password, keys, sessions, programs and links work again. */
export const enable: Command<"account enable"> = ({ open, options, print }) =>
  print(setActive(open(), options, true));

/** `account operator`: the person sees and changes the server in the console, and nobody else does. */
export const operator: Command<"account operator"> = ({ open, options: { email }, print }) => {
  const deps = open();
  refuseShutOut(deps, email);
  print(nameOperator(deps, email));
};

/** @throws RefusedError for a person who could not use what a command would make for them. */
export function refuseShutOut(deps: Pick<Deps, "db" | "now">, email: string): void {
  const reason = shutOut(deps, getPersonByEmail(deps, email));
  if (reason !== undefined) throw new RefusedError(reason);
}
