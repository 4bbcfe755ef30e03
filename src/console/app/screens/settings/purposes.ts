/** What a key or a program may be for, and the scopes that it needs. Every scope that an owner can give is in one. */
export const PURPOSES = [
  {
    name: "Read the library",
    scopes: ["read:tracks", "read:playlists", "read:composers", "read:composer", "read:briefs"],
  },
  { name: "Add and edit tracks", scopes: ["create:tracks", "update:tracks"] },
  { name: "Make and edit playlists", scopes: ["create:playlists", "update:playlists"] },
  { name: "Edit composers", scopes: ["create:composer", "update:composer", "delete:composer"] },
  { name: "Share by link", scopes: ["read:shares", "create:shares", "update:shares"] },
  { name: "See plays and who listened", scopes: ["read:analytics", "read:shares"] },
  { name: "Comments and approvals", scopes: ["read:comments", "create:comments", "delete:comments"] },
  { name: "Notifications", scopes: ["read:notifications", "update:notifications"] },
  { name: "Receive webhooks", scopes: ["read:webhooks", "update:webhooks"] },
] as const;

/** Returns what scopes are good for, in words: whole purposes, then single scopes. */
export function purposesOf(scopes: readonly string[]): string {
  const has = (scope: string) => scopes.includes(scope);
  const whole = PURPOSES.filter((purpose) => purpose.scopes.every(has));
  if (whole.length === PURPOSES.length || has("all")) return "Everything";
  const told = new Set<string>(whole.flatMap((purpose) => purpose.scopes));
  const rest = scopes.filter((scope) => !told.has(scope));
  return [...whole.map(({ name }) => name), ...rest].join(", ");
}
