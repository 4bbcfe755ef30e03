import { getAccountByEmail } from "../../modules/people/accounts/service.ts";
import { transferAccount } from "../../modules/whole/ownership/service.ts";
import { readOptions, type Verb } from "../command.ts";

const USAGE = "dubplate account transfer --email E --to E2";

/** `account transfer`: gives the library of one account to another. Both stay, and so does who may sign in to each. */
export const transfer: Verb = {
  usage: USAGE,
  run: async ({ open, args, print, say }) => {
    const { email = "", to = "" } = readOptions(args, USAGE, { required: ["email", "to"] });
    const deps = open();
    const [giver, receiver] = [getAccountByEmail(deps, email), getAccountByEmail(deps, to)];
    const { merged, ...given } = await transferAccount(deps, giver, receiver);
    print({ email: giver.email, to: receiver.email, ...given, composersMerged: merged.length });
    for (const composer of merged)
      for (const [detail, [kept, dropped]] of Object.entries(composer.differences))
        say(`${composer.email} is one composer now: ${detail} is ${kept}, and no longer ${dropped}`);
  },
};
