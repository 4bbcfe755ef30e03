import { ASSIGNABLE_SCOPES, isAssignable, type OrdinaryScope } from "../../kernel/scopes.ts";
import { OAuthError } from "./oauth-error.ts";

/** What each scope allows, as a sentence that begins with "It may": the words of the consent page. */
export const SCOPE_SENTENCES: Readonly<Record<OrdinaryScope, string>> = {
  "read:tracks": "search and see your tracks, and listen to and download their audio",
  "create:tracks": "upload new tracks",
  "update:tracks": "change tracks: details, tags, covers and versions, and delete versions for good",
  "read:playlists": "see your playlists",
  "create:playlists": "create playlists and add tracks to them",
  "update:playlists": "rename playlists, put them in another order, and take tracks off them",
  "read:composers": "see the list of your composers, with e-mail addresses",
  "read:composer": "see one composer's details, with the e-mail address",
  "create:composer": "add composers",
  "update:composer": "change composers",
  "delete:composer": "delete composers for good",
  "read:analytics": "see what was played, viewed, downloaded and shared",
  "read:briefs": "see your briefs and what was submitted to them",
};

/** A client may ask for it by habit (OpenID Connect); refresh tokens are given without it. */
const OFFLINE_ACCESS = "offline_access";

/** True for a scope that changes nothing: ticked on the consent page when the client did not say what it wants. */
export const isReading = (scope: string) => scope.startsWith("read:");

/**
 * Reads a request's `scope`: the scopes asked for, in the catalog's order; undefined when there is none.
 *
 * @throws OAuthError `invalid_scope` for one that does not exist or that only the operator gives.
 */
export function readScopes(text: string | undefined): OrdinaryScope[] | undefined {
  const asked = (text ?? "").split(" ").filter((scope) => scope !== "" && scope !== OFFLINE_ACCESS);
  if (asked.length === 0) return undefined;
  if (!asked.every(isAssignable))
    throw new OAuthError("invalid_scope", "A scope is unknown or not given to clients");
  return ASSIGNABLE_SCOPES.filter((scope) => asked.includes(scope));
}
