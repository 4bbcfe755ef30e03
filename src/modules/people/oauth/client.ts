/** A program that asks for a grant. All are public clients, which cannot keep a secret (RFC 6749, section 2.1). */
export type Client = {
  id: string;
  /** What the client calls itself, cleaned for display but not verified. */
  name: string;
  /** Host of its metadata document, which proves where the client comes from; null when it registered itself. */
  host: string | null;
  redirectUris: readonly string[];
};

const MAX_NAME_CHARACTERS = 80;

/**
 * Returns a client's own name on one line, without invisible characters or characters that reverse the reading order;
 * `fallback` when nothing remains.
 */
export function clientName(raw: unknown, fallback: string): string {
  if (typeof raw !== "string") return fallback;
  const name = raw
    .toWellFormed()
    .replace(/[\s\u0085]+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\u2800\u3164\uffa0]/gu, "")
    .trim();
  const characters = Array.from(name);
  if (characters.length === 0) return fallback;
  if (characters.length <= MAX_NAME_CHARACTERS) return name;
  return `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join("")}…`;
}
