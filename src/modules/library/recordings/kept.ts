import type { Db } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { storeRecording } from "./match.ts";
import { findSound } from "./queries.ts";

/** The analysis of a version's sound, in the form of JSON: bytes are base64. */
export type KeptSound = {
  pcmSha256: string;
  codes: string;
  columns: string;
  levels: string;
  peaks: string;
  balanceDb: (number | null)[];
  framesPerPair: number;
};

/** Returns the analysis of a version's sound, to store it again later; undefined if it was never analysed. */
export function keepSound(db: Db, versionId: string): KeptSound | undefined {
  const sound = findSound(db, versionId);
  if (!sound) return undefined;
  const { pcmSha256, codes, columns, levels, peaks, balance, framesPerPair } = sound;
  return {
    pcmSha256: pcmSha256.toString("base64"),
    codes: codes.toString("base64"),
    columns: columns.toString("base64"),
    levels: levels.toString("base64"),
    peaks: peaks.toString("base64"),
    balanceDb: balance,
    framesPerPair,
  };
}

/** Stores what {@link keepSound} returned, as an analysis of the version would. Call it inside a transaction. */
export function restoreSound(
  tx: Db,
  version: { ownerId: LibraryId; versionId: string },
  { pcmSha256, codes, columns, levels, peaks, balanceDb, framesPerPair }: KeptSound,
): void {
  const codeBytes = bytesOf(codes);
  storeRecording(tx, version, {
    pcmSha256: bytesOf(pcmSha256),
    fingerprint: { codes: new Uint32Array(codeBytes.buffer), columns: bytesOf(columns) },
    levels: bytesOf(levels),
    balanceDb,
    framesPerPair,
    peaks: bytesOf(peaks),
  });
}

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"));
