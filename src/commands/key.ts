import { getAccountByEmail } from "../modules/people/accounts/service.ts";
import { createKey, listKeys, revokeAnyKey } from "../modules/people/keys/service.ts";
import { byVerb, type Command, readArgument, readOptions, UsageError, wholeNumber } from "./command.ts";

const CREATE = "dubplate key create --email E --name N [--scopes a,b] [--days n]";
const LIST = "dubplate key list --email E";
const REVOKE = "dubplate key revoke ID";

/** Only here can a key get the scopes `act-as-user` and the legacy `all`. */
const create: Command = ({ open, args, print }) => {
  const given = readOptions(args, CREATE, { required: ["email", "name"], optional: ["scopes", "days"] });
  const { email = "", name = "", scopes } = given;
  const days = given.days === undefined ? undefined : wholeNumber(given.days, CREATE);
  if (days !== undefined && (days < 1 || days > 3650)) throw new UsageError(`${CREATE}: 1 to 3650 days`);
  const input = { name, ...(scopes && { scopes: listOf(scopes) }), ...(days !== undefined && { days }) };
  const deps = open();
  const { id, key } = createKey(deps, getAccountByEmail(deps, email).id, input, { isOperator: true });
  print({ id, key });
};

const list: Command = ({ open, args, print }) => {
  const { email = "" } = readOptions(args, LIST, { required: ["email"] });
  const deps = open();
  for (const row of listKeys(deps, getAccountByEmail(deps, email).id)) print(row);
};

const revoke: Command = ({ open, args, print }) => {
  const { argument: id } = readArgument(args, REVOKE);
  print(revokeAnyKey(open(), id));
};

/** `key …`: the API keys of accounts. No secret is ever printed again. */
export const key = byVerb({
  create: { usage: CREATE, run: create },
  list: { usage: LIST, run: list },
  revoke: { usage: REVOKE, run: revoke },
});

/** Returns the entries of a comma-separated list. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
