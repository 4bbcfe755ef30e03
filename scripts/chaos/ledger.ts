import type { Sound } from "./sounds.ts";

/** A track that the server acknowledged. */
export type Acknowledged = { trackId: string; filename: string; sha256: string };

/** Everything sent and everything acknowledged, to compare with the library. */
export type Ledger = {
  acknowledged: Acknowledged[];
  /** SHA-256 of every file sent, by its name; names are never used twice. */
  sent: Map<string, string>;
  /** File names of each request that got no answer. Either all of its files must be stored, or none. */
  unanswered: string[][];
};

/** Makes an empty ledger. */
export function createLedger(): Ledger {
  return { acknowledged: [], sent: new Map(), unanswered: [] };
}

/** Records files that are about to be sent. */
export function noteSent({ sent }: Ledger, sounds: readonly Sound[]): void {
  for (const { filename, sha256 } of sounds) sent.set(filename, sha256);
}

/** Records an answer. Its tracks are in the order of the files. */
export function noteAnswer(
  { acknowledged }: Ledger,
  sounds: readonly Sound[],
  trackIds: readonly string[],
): void {
  if (trackIds.length !== sounds.length)
    throw new Error(`${sounds.length} files were sent and ${trackIds.length} tracks acknowledged`);
  sounds.forEach(({ filename, sha256 }, index) => {
    acknowledged.push({ trackId: trackIds[index] ?? "", filename, sha256 });
  });
}
