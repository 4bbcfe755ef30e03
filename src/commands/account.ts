import { toIso } from "../kernel/time.ts";
import { createAccount, listAccounts } from "../modules/people/accounts/service.ts";
import { readPassword } from "./account/password.ts";
import { type Command, RefusedError } from "./command.ts";

export const createAccountHere: Command<"account create"> = async ({ open, options, print, ask }) => {
  const { email, name } = options;
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new RefusedError("This is not an e-mail address");
  const password = await readPassword(options.password, ask);
  const created = await createAccount(open(), { email, name, password });
  print({ id: created.id, email: created.email, name: created.name });
};

export const listAccountsHere: Command<"account list"> = ({ open, print }) => {
  for (const row of listAccounts(open())) {
    const { id, email, name, createdAt, active, credits, operator } = row;
    print({
      ...{ id, email, name, createdAt: toIso(createdAt), active, credits: credits ?? "unlimited" },
      ...(operator && { operator }),
    });
  }
};
