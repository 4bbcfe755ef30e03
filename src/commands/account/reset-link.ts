import { getPersonByEmail, makeResetLink } from "../../modules/people/accounts/service.ts";
import type { Command } from "../command.ts";
import { refuseShutOut } from "./access.ts";

/** `account reset-link`: prints a link to a page that sets a new password. It works once, within the hour. */
export const resetLink: Command<"account reset-link"> = ({ open, options: { email }, print }) => {
  const deps = open();
  refuseShutOut(deps, email);
  const { id: ownerId, ...person } = getPersonByEmail(deps, email);
  print(makeResetLink(deps, { ownerId, email: person.email }));
};
