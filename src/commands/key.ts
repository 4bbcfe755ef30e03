import { getAccountByEmail } from "../modules/people/accounts/service.ts";
import { createKey, listKeys, revokeAnyKey } from "../modules/people/keys/service.ts";
import type { Command } from "./command.ts";

/** `key create`: only here can a key get the scopes `act-as-user` and the legacy `all`. */
export const createKeyHere: Command<"key create"> = ({ open, options, print }) => {
  const { email, library, name, scopes, days } = options;
  const input = { name, ...(scopes && { scopes: listOf(scopes) }), ...(days !== undefined && { days }) };
  const deps = open();
  const account = getAccountByEmail(deps, email, library);
  const { id, key } = createKey(deps, account.id, input, { isOperator: true });
  print({ id, key });
};

/** `key list`: no secret is ever printed again. */
export const listKeysHere: Command<"key list"> = ({ open, options, print }) => {
  const deps = open();
  for (const row of listKeys(deps, getAccountByEmail(deps, options.email, options.library).id)) print(row);
};

export const revokeKeyHere: Command<"key revoke"> = ({ open, words: [id = ""], print }) =>
  print(revokeAnyKey(open(), id));

/** Returns the entries of a comma-separated list. */
export function listOf(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
