import { beginOperatorSession, endSessions, listSessionsOf } from "../modules/people/accounts/service.ts";
import { refuseShutOut } from "./account/access.ts";
import type { Command } from "./command.ts";

/** `session create`: signs an account in without its password. */
export const createSession: Command<"session create"> = ({ open, options: { email }, print }) => {
  const deps = open();
  refuseShutOut(deps, email);
  const { token, expiresAt } = beginOperatorSession(deps, email);
  print({ token, expiresAt });
};

/** `session list`: signed-in browsers and programs. */
export const listSessions: Command<"session list"> = ({ open, options, print }) => {
  for (const row of listSessionsOf(open(), options.email)) print(row);
};

export const revokeSessions: Command<"session revoke"> = ({ open, options, words: [id], print }) =>
  print({ ok: true, revoked: endSessions(open(), options.email, id) });
