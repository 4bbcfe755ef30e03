import { beginOperatorSession, endSessions, listSessionsOf } from "../modules/people/accounts/service.ts";
import { refuseDisabled } from "./account/access.ts";
import { byVerb, type Command, parseOrExplain, readOptions, UsageError } from "./command.ts";

const CREATE = "dubplate session create --email E";
const LIST = "dubplate session list --email E";
const REVOKE = "dubplate session revoke --email E [ID]";

/** Signs an account in without its password. */
const create: Command = ({ open, args, print }) => {
  const { email = "" } = readOptions(args, CREATE, { required: ["email"] });
  const deps = open();
  refuseDisabled(deps, email);
  const { token, expiresAt } = beginOperatorSession(deps, email);
  print({ token, expiresAt });
};

const list: Command = ({ open, args, print }) => {
  const { email = "" } = readOptions(args, LIST, { required: ["email"] });
  for (const row of listSessionsOf(open(), email)) print(row);
};

const revoke: Command = ({ open, args, print }) => {
  const { values, positionals } = parseOrExplain(args, REVOKE, { email: { type: "string" } });
  const [id, ...more] = positionals;
  if (typeof values.email !== "string" || values.email === "" || more.length > 0)
    throw new UsageError(REVOKE);
  print({ ok: true, revoked: endSessions(open(), values.email, id) });
};

/** `session …`: signed-in browsers and programs. */
export const session = byVerb({
  create: { usage: CREATE, run: create },
  list: { usage: LIST, run: list },
  revoke: { usage: REVOKE, run: revoke },
});
