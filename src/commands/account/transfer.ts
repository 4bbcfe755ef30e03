import { MODULES } from "../../modules/index.ts";
import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import { transferAccount } from "../../modules/whole/ownership/service.ts";
import type { Command } from "../command.ts";

/** `account transfer`: gives the library of one account to another. Both stay, and so does who may sign in to each. */
export const transfer: Command<"account transfer"> = async ({ open, options, print, say }) => {
  const deps = open();
  const giver = getAccountByEmail(deps, options.email, options.library);
  const receiver = getAccountByEmail(deps, options.to, options["to-library"]);
  const { merged, ...given } = await transferAccount(deps, giver, receiver, MODULES);
  print({ email: giver.email, to: receiver.email, ...given, composersMerged: merged.length });
  for (const composer of merged)
    for (const [detail, [kept, dropped]] of Object.entries(composer.differences))
      say(`${composer.email} is one composer now: ${detail} is ${kept}, and no longer ${dropped}`);
};
