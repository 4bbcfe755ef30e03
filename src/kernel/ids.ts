/** What an id names; the prefix is part of the id (decision 0.9). */
export type IdPrefix =
  | "trk"
  | "ver"
  | "pl"
  | "shr"
  | "brf"
  | "key"
  | "plr"
  | "pkt"
  | "usr"
  | "mem"
  | "inv"
  | "ses"
  | "evt"
  | "job"
  | "srch"
  | "aud"
  | "use"
  | "lnk"
  | "req"
  | "sub"
  | "bat"
  | "ntf"
  | "cmt"
  | "rev"
  | "act"
  | "fb"
  | "ocl"
  | "grt"
  | "sto"
  | "undo"
  | "call"
  | "itk"
  | "rev"
  | "mail"
  | "ans"
  | "fam"
  | "sup"
  | "pkg"
  | "mark"
  | "leak";

/** Returns a new opaque id such as `trk_019…`. It is a UUIDv7, so later ids sort later. It contains no dot. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${Bun.randomUUIDv7().replaceAll("-", "")}`;
}

/** Returns `bytes` random bytes as base64url: 32 make a 256-bit secret, 16 a 128-bit link token. */
export function newToken(bytes: 16 | 32): string {
  return crypto.getRandomValues(Buffer.alloc(bytes)).toString("base64url");
}

/** Letters and digits that people do not confuse, 5 bits each. */
const CLEAR_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/** Returns so many random letters and digits of an alphabet whose length divides 256. */
export const randomLetters = (count: number, alphabet = CLEAR_LETTERS): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => alphabet[byte % alphabet.length]).join(
    "",
  );
