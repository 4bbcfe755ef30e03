import { getAccountByEmail, makeResetLink } from "../../modules/people/accounts/service.ts";
import { readOptions, type Verb } from "../command.ts";
import { refuseDisabled } from "./access.ts";

const USAGE = "dubplate account reset-link --email E";

/** `account reset-link`: prints a link to a page that sets a new password. It works once, within the hour. */
export const resetLink: Verb = {
  usage: USAGE,
  run: ({ open, args, print }) => {
    const { email = "" } = readOptions(args, USAGE, { required: ["email"] });
    const deps = open();
    refuseDisabled(deps, email);
    print(makeResetLink(deps, getAccountByEmail(deps, email)));
  },
};
