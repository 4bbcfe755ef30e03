import type { Secrets } from "../../../kernel/secrets.ts";
import { seal, unseal } from "../../../kernel/secrets.ts";
import { type Canonical, canonical } from "./canonical.ts";
import { hashOf } from "./tree.ts";

const SEED_BYTES = 32;
const LOG_ID_DIGITS = 32;
/** What stands before a seed of Ed25519 in PKCS #8. @see RFC 8410, section 7 */
const PRIVATE_KEY = Buffer.from("302e020100300506032b657004220420", "hex");
/** What stands before a public key in SPKI. @see RFC 8410, section 4 */
const PUBLIC_KEY = Buffer.from("302a300506032b6570032100", "hex");
/** What a signature is for: it cannot be taken for one of something else. */
const PURPOSE = "dubplate-ledger-head\n";

// Node's cryptography takes a tenth of the start to load.
const node = () => process.getBuiltinModule("node:crypto");

/** A new key of a log: its public half, and its seed sealed under the master secret. */
export type NewKey = { logId: string; publicKey: Buffer; seed: Buffer };

/** Makes a key. The log is called by the first 16 bytes of its public key's SHA-256, in hexadecimal. */
export function makeKey(secrets: Secrets): NewKey {
  const seed = crypto.getRandomValues(Buffer.alloc(SEED_BYTES));
  const publicKey = node()
    .createPublicKey(privateKeyOf(seed))
    .export({ format: "der", type: "spki" })
    .subarray(PUBLIC_KEY.length);
  const logId = logIdOf(publicKey);
  return { logId, publicKey, seed: seal(secrets("ledger"), seed.toString("base64"), contextOf(logId)) };
}

/** Returns the name of the log that a public key signs. */
export const logIdOf = (publicKey: Uint8Array) => hashOf(publicKey).toString("hex").slice(0, LOG_ID_DIGITS);

/** Returns what is signed of a head, which is canonical JSON. */
export const signedText = (head: string): string => PURPOSE + head;

/** Signs the head of a log with Ed25519 (RFC 8032). 64 bytes. @throws Error when the seed was sealed with another secret. */
export function signHead(
  secrets: Secrets,
  log: { logId: string; seed: Uint8Array },
  head: Canonical,
): Buffer {
  const seed = Buffer.from(unseal(secrets("ledger"), log.seed, contextOf(log.logId)), "base64");
  return node().sign(null, Buffer.from(signedText(canonical(head))), privateKeyOf(seed));
}

/** True when a head was signed by a key. `head` is canonical JSON. */
export function isSigned(publicKey: Uint8Array, head: string, signature: Uint8Array): boolean {
  const key = node().createPublicKey({
    key: Buffer.concat([PUBLIC_KEY, publicKey]),
    format: "der",
    type: "spki",
  });
  return node().verify(null, Buffer.from(signedText(head)), key, signature);
}

/** Seals a seed for a new master secret. */
export function resealSeed(from: Secrets, to: Secrets, log: { logId: string; seed: Uint8Array }): Buffer {
  const context = contextOf(log.logId);
  return seal(to("ledger"), unseal(from("ledger"), log.seed, context), context);
}

const privateKeyOf = (seed: Uint8Array) =>
  node().createPrivateKey({ key: Buffer.concat([PRIVATE_KEY, seed]), format: "der", type: "pkcs8" });

const contextOf = (logId: string) => `ledger ${logId}`;
