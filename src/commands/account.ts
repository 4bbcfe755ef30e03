import { toIso } from "../kernel/time.ts";
import { createAccount, listAccounts } from "../modules/people/accounts/service.ts";
import { disable, enable, operator } from "./account/access.ts";
import { deleteWhole } from "./account/delete.ts";
import { exportTo } from "./account/export.ts";
import { readPassword, setPassword } from "./account/password.ts";
import { resetLink } from "./account/reset-link.ts";
import { transfer } from "./account/transfer.ts";
import { byVerb, type Command, RefusedError, readOptions } from "./command.ts";

const CREATE = "dubplate account create --email E --name N [--password P]";
const LIST = "dubplate account list";

const create: Command = async ({ open, args, print, ask }) => {
  const given = readOptions(args, CREATE, { required: ["email", "name"], optional: ["password"] });
  const { email = "", name = "" } = given;
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new RefusedError("This is not an e-mail address");
  const password = await readPassword(given.password, ask);
  const created = await createAccount(open(), { email, name, password });
  print({ id: created.id, email: created.email, name: created.name });
};

const list: Command = ({ open, args, print }) => {
  readOptions(args, LIST, {});
  for (const row of listAccounts(open())) {
    const { id, email, name, createdAt, active, credits, operator } = row;
    print({
      ...{ id, email, name, createdAt: toIso(createdAt), active, credits: credits ?? "unlimited" },
      ...(operator && { operator }),
    });
  }
};

/** `account …`: the people who keep their music here. */
export const account = byVerb({
  create: { usage: CREATE, run: create },
  list: { usage: LIST, run: list },
  password: setPassword,
  "reset-link": resetLink,
  export: exportTo,
  delete: deleteWhole,
  transfer,
  disable,
  enable,
  operator,
});
