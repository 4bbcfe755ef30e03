import { revokeKeysOf } from "./people/keys/service.ts";
import { admit } from "./people/membership/service.ts";
import { revokeGrantsOf } from "./people/oauth/service.ts";
import type { Beyond } from "./people/signin/service.ts";

/** What a sign-in changes in modules that stand on sign-ins, which therefore cannot do it by themselves. */
export const beyondSignIn: Beyond = {
  endAccess: (tx, personId, at) => ({
    keys: revokeKeysOf(tx, personId, at),
    programs: revokeGrantsOf(tx, personId, at),
  }),
  admit,
};
