import { getAccountByEmail } from "../modules/people/accounts/service.ts";
import { listPlayersOf, revokeAnyPlayer } from "../modules/pocket/players/service.ts";
import type { Command } from "./command.ts";

/** `player list`: music apps, without passwords. */
export const listPlayersHere: Command<"player list"> = ({ open, options, print }) => {
  const deps = open();
  for (const row of listPlayersOf(deps, getAccountByEmail(deps, options.email, options.library).id))
    print(row);
};

export const revokePlayerHere: Command<"player revoke"> = ({ open, words: [id = ""], print }) =>
  print(revokeAnyPlayer(open(), id));
