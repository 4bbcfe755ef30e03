import { toIso } from "../kernel/time.ts";
import { createAccount, listAccounts } from "../modules/accounts/service.ts";
import { type Command, RefusedError, readOptions, UsageError } from "./command.ts";

const CREATE = "dubplate account create --email E --name N [--password P]";
const LIST = "dubplate account list";
const MIN_PASSWORD_CHARACTERS = 8;

/** `account create`, `account list`. */
export const account: Command = async ({ open, args: [verb, ...args], print, ask }) => {
  if (verb === "list") {
    readOptions(args, LIST, {});
    for (const row of listAccounts(open())) {
      const { id, email, name, createdAt, active, credits } = row;
      print({ id, email, name, createdAt: toIso(createdAt), active, credits: credits ?? "unlimited" });
    }
    return;
  }
  if (verb !== "create") throw new UsageError(`${CREATE}\n${LIST}`);

  const given = readOptions(args, CREATE, { required: ["email", "name"], optional: ["password"] });
  const { email = "", name = "" } = given;
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new RefusedError("This is not an e-mail address");
  const password = given.password ?? (await ask("Password: "));
  if (password.length < MIN_PASSWORD_CHARACTERS)
    throw new RefusedError(`A password needs at least ${MIN_PASSWORD_CHARACTERS} characters`);
  const created = await createAccount(open(), { email, name, password });
  print({ id: created.id, email: created.email, name: created.name });
};
