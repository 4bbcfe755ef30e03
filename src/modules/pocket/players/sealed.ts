import type { Db } from "../../../../db/client.ts";
import { type Secrets, seal, unseal } from "../../../kernel/secrets.ts";
import { listSealed, type PlayerRow, updatePlayer } from "./queries.ts";

/** Returns the copy of a music app's password that the database keeps. Call it in the transaction that stores it. */
export function sealSecret(secrets: Secrets, id: string, secret: string): Buffer {
  return seal(secrets("player-passwords"), secret, id);
}

/** Returns a music app's password; undefined when it came from another server, or was sealed with an earlier master secret. */
export function openSecret(
  { secrets }: { secrets: Secrets },
  { id, secretCopy }: { id: string; secretCopy: Uint8Array },
): string | undefined {
  try {
    return unseal(secrets("player-passwords"), secretCopy, id);
  } catch {
    return undefined;
  }
}

/** Seals the copies of all passwords for a new master secret. One that does not open stays as it is. Returns how many. */
export function resealPlayers(tx: Db, from: Secrets, to: Secrets): number {
  const open = (row: Pick<PlayerRow, "id" | "secretCopy">) => ({
    id: row.id,
    secret: openSecret({ secrets: from }, row),
  });
  const opened = listSealed(tx).map(open);
  const known = opened.filter((row): row is { id: string; secret: string } => row.secret !== undefined);
  for (const { id, secret } of known) updatePlayer(tx, id, { secretCopy: sealSecret(to, id, secret) });
  return known.length;
}
