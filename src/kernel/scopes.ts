/**
 * Scopes that an owner may give to a key: those of the specification (section 5), then our own (decision 0038). Add new
 * ones at the end.
 */
export const ASSIGNABLE_SCOPES = [
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
  "update:shares",
  "read:webhooks",
  "update:webhooks",
  "read:comments",
  "create:comments",
  "delete:comments",
  "read:notifications",
  "update:notifications",
] as const;

/** Scopes of platform keys, which only the operator can issue. */
export const PLATFORM_SCOPES = [
  "platform:read:file-requests",
  "platform:read:accounts",
  "platform:work",
] as const;

export type OrdinaryScope = (typeof ASSIGNABLE_SCOPES)[number];
export type PlatformScope = (typeof PLATFORM_SCOPES)[number];
export type Scope = OrdinaryScope | PlatformScope;

/**
 * Lets a key make requests as another account (decision 5.3). Only the operator issues it; the scope catalogue
 * leaves it out.
 */
export const ACT_AS_USER = "act-as-user";
/** Legacy wildcard: every ordinary scope, but neither platform scopes nor `act-as-user` (decision 5.4). */
export const ALL_SCOPES = "all";

/** True when `text` is a scope that an owner may assign. */
export function isAssignable(text: string): text is OrdinaryScope {
  return (ASSIGNABLE_SCOPES as readonly string[]).includes(text);
}

/** True when `text` names a platform scope. */
export function isPlatformScope(text: string): text is PlatformScope {
  return (PLATFORM_SCOPES as readonly string[]).includes(text);
}

/**
 * True when the scopes in `granted` allow an action that needs `required`. Null means every assignable scope.
 * Scopes are exact strings: `read:composers` does not satisfy `read:composer` (decision 5.5).
 */
export function satisfies(granted: readonly string[] | null, required: Scope): boolean {
  if (isPlatformScope(required)) return granted?.includes(required) ?? false;
  return granted === null || granted.includes(required) || granted.includes(ALL_SCOPES);
}
