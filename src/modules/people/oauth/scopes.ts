import { ASSIGNABLE_SCOPES, isAssignable, type OrdinaryScope } from "../../../kernel/scopes.ts";
import { OAuthError } from "./oauth-error.ts";

/** What each scope allows, in the words of the consent page: each completes a sentence that begins with "It may". */
export const SCOPE_SENTENCES: Readonly<Record<OrdinaryScope, string>> = {
  "read:tracks": "search and see your tracks, and listen to and download their audio",
  "create:tracks": "upload new tracks",
  "update:tracks": "change tracks: details, tags, covers and versions, and delete versions for good",
  "read:playlists": "see your playlists",
  "create:playlists": "create playlists and add tracks to them",
  "update:playlists": "rename playlists, change their order, and remove tracks from them",
  "read:composers": "see the list of your composers, with e-mail addresses",
  "read:composer": "see one composer's details, with the e-mail address",
  "create:composer": "add composers",
  "update:composer": "change composers",
  "delete:composer": "delete composers for good",
  "read:analytics": "see what was played, viewed, downloaded and shared",
  "read:briefs": "see your briefs and what was submitted to them",
  "read:shares": "see your share links, whom they are for, and who listened",
  "create:shares": "make share links to tracks and playlists",
  "update:shares": "change what share links allow, and revoke them for good",
  "read:webhooks": "see where its own events are sent, and each delivery",
  "update:webhooks": "choose where its own events are sent, and send them again",
  "read:comments": "see the comments on your tracks",
  "create:comments": "comment on your tracks in your name",
  "delete:comments": "delete comments on your tracks for good",
  "read:notifications": "see your notifications",
  "update:notifications": "mark your notifications read",
};

/**
 * The scopes that tools use. A grant opens only the tool server, so a person who lets a client in may add these to what it
 * asked for.
 */
export const TOOL_SCOPES: readonly OrdinaryScope[] = [
  "read:tracks",
  "create:tracks",
  "update:tracks",
  "read:playlists",
  "create:playlists",
  "update:playlists",
  "read:composers",
  "read:composer",
  "create:composer",
  "update:composer",
  "delete:composer",
  "read:analytics",
  "read:briefs",
  "read:shares",
  "create:shares",
];

/** Clients may ask for it out of habit (OpenID Connect); they get refresh tokens without it. */
const OFFLINE_ACCESS = "offline_access";

/** Returns true for a scope that only reads. If a client asks for every scope, the consent page ticks only these. */
export const isReading = (scope: string) => scope.startsWith("read:");

/**
 * Reads a request's `scope`: the scopes asked for, in the catalog's order; undefined when the request names no scope.
 *
 * @throws OAuthError `invalid_scope` when a scope does not exist or only the operator can grant it.
 */
export function readScopes(text: string | undefined): OrdinaryScope[] | undefined {
  const asked = (text ?? "").split(" ").filter((scope) => scope !== "" && scope !== OFFLINE_ACCESS);
  if (asked.length === 0) return undefined;
  if (!asked.every(isAssignable))
    throw new OAuthError("invalid_scope", "A scope is unknown or cannot be granted to clients");
  return ASSIGNABLE_SCOPES.filter((scope) => asked.includes(scope));
}
