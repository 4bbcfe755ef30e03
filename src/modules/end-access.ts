import { revokeKeysOf } from "./people/keys/service.ts";
import { revokeGrantsOf } from "./people/oauth/service.ts";
import type { EndAccess } from "./people/signin/service.ts";

/** Ends what a person's programs may. Keys and grants stand on sign-ins, which therefore cannot end them by themselves. */
export const endAccess: EndAccess = (tx, personId, at) => ({
  keys: revokeKeysOf(tx, personId, at),
  programs: revokeGrantsOf(tx, personId, at),
});
