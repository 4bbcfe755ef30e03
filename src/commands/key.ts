import { getAccountByEmail } from "../modules/accounts/service.ts";
import { createKey } from "../modules/keys/service.ts";
import { type Command, readOptions, UsageError, wholeNumber } from "./command.ts";

const CREATE = "dubplate key create --email E --name N [--scopes a,b] [--days n]";

/** `key create`: only here can a key get the scopes `act-as-user` and the legacy `all`. */
export const key: Command = ({ open, args: [verb, ...args], print }) => {
  if (verb !== "create") throw new UsageError(CREATE);
  const given = readOptions(args, CREATE, { required: ["email", "name"], optional: ["scopes", "days"] });
  const { email = "", name = "", scopes } = given;
  const days = given.days === undefined ? undefined : wholeNumber(given.days, CREATE);
  if (days !== undefined && (days < 1 || days > 3650)) throw new UsageError(`${CREATE}: 1 to 3650 days`);
  const input = { name, ...(scopes && { scopes: listOf(scopes) }), ...(days !== undefined && { days }) };
  const deps = open();
  const { id, key } = createKey(deps, getAccountByEmail(deps, email).id, input, { isOperator: true });
  print({ id, key });
};

/** Returns the entries of a comma-separated list. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
