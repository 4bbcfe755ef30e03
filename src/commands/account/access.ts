import type { Deps } from "../../kernel/deps.ts";
import { getAccountByEmail, nameOperator, setActive } from "../../modules/people/accounts/service.ts";
import { RefusedError, readOptions, type Verb } from "../command.ts";

/** `account disable`: every door refuses the account, and its public links open nothing. Its data stays. */
export const disable = switchTo(false, "dubplate account disable --email E");

/** `account enable`: the account's password, keys, sessions, programs and links work again. */
export const enable = switchTo(true, "dubplate account enable --email E");

function switchTo(active: boolean, usage: string): Verb {
  return {
    usage,
    run: ({ open, args, print }) => {
      const { email = "" } = readOptions(args, usage, { required: ["email"] });
      print(setActive(open(), email, active));
    },
  };
}

const OPERATOR = "dubplate account operator --email E";

/** `account operator`: the account sees and changes the server in its console, and no other does. */
export const operator: Verb = {
  usage: OPERATOR,
  run: ({ open, args, print }) => {
    const { email = "" } = readOptions(args, OPERATOR, { required: ["email"] });
    const deps = open();
    refuseDisabled(deps, email);
    print(nameOperator(deps, email));
  },
};

/** @throws RefusedError for a disabled account, which could not use what a command would make for it. */
export function refuseDisabled(deps: Pick<Deps, "db">, email: string): void {
  const account = getAccountByEmail(deps, email);
  if (!account.active)
    throw new RefusedError(`The account ${account.email} is disabled: run account enable first`);
}
