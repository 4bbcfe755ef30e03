type By = { keyId: string; name: string | null; client: string };

/**
 * Returns what to call the client that made a call. A program that was let in by signing in has told its name then; others name
 * themselves with every call ("claude-code/2.1 (cli)", "Cursor 1.7"), and a key has the name that its owner gave it.
 */
export function clientName({ keyId, name, client }: By): string {
  if (name !== null && keyId.startsWith("grt_")) return name;
  const own = client
    .replace(/\/.*$/s, "")
    .replace(/\s+v?\d\S*$/, "")
    .trim();
  return own === "" ? (name ?? "An assistant") : spelled(own);
}

/** "claude-code" as people write it: "Claude Code". A name that is not written like a package's is left alone. */
function spelled(own: string): string {
  if (!/^[a-z\d]+(?:[-_][a-z\d]+)*$/.test(own)) return own;
  const words = own.replace(/[-_](?:ai|client)$/, "").split(/[-_]/);
  return words.map((word) => word.replace(/^./, (letter) => letter.toUpperCase())).join(" ");
}
