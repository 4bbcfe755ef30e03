import { beginSession, getAccountByEmail } from "../modules/accounts/service.ts";
import { type Command, readOptions, UsageError } from "./command.ts";

const CREATE = "dubplate session create --email E";

/** `session create`: signs an account in without its password. */
export const session: Command = ({ open, args: [verb, ...args], print }) => {
  if (verb !== "create") throw new UsageError(CREATE);
  const { email = "" } = readOptions(args, CREATE, { required: ["email"] });
  const deps = open();
  const { token, expiresAt } = beginSession(deps, getAccountByEmail(deps, email), {
    ip: "operator",
    userAgent: null,
  });
  print({ token, expiresAt });
};
