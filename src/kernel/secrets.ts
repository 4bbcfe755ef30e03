// Bun's own hashes: Node's cryptography takes a tenth of the start to load.

/** What the master secret is used for. Each purpose has its own key. */
export type SecretPurpose =
  | "key-copies"
  | "player-passwords"
  | "webhook-secrets"
  | "idempotency"
  | "media-links"
  | "media-tags"
  | "submitter-ids"
  | "artwork-keys"
  | "share-pages"
  | "submission-receipts"
  | "mails"
  | "ledger"
  | "marks";

/**
 * Returns the 32-byte key for a purpose, derived from the library's 32-byte master secret (HKDF-SHA256, RFC 5869).
 */
export type Secrets = (purpose: SecretPurpose) => Buffer;

/** Makes {@link Secrets} from a master secret. Each key is derived once. */
export function secretsOf(master: Buffer): Secrets {
  return askedOnce((purpose) => derive(master, `dubplate ${purpose}`));
}

/** Returns secrets of which each is asked for once. They follow no rotation: use them for a moment only. */
export function askedOnce(secrets: Secrets): Secrets {
  const keys = new Map<SecretPurpose, Buffer>();
  return (purpose) => {
    const key = keys.get(purpose) ?? secrets(purpose);
    keys.set(purpose, key);
    return key;
  };
}

/** Returns 32 bytes for a purpose, from a secret: HKDF-SHA256 without salt. @see RFC 5869, section 2. */
export function derive(master: Buffer, info: string): Buffer {
  const pseudorandom = hmac(Buffer.alloc(SHA256_BYTES), master);
  return hmac(pseudorandom, Buffer.concat([Buffer.from(info), Buffer.from([1])]));
}

const hmac = (key: Buffer, bytes: Buffer) => new Bun.CryptoHasher("sha256", key).update(bytes).digest();

const SHA256_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and returns IV, ciphertext and tag in one piece, bound to `context` as additional data.
 */
export function seal(key: Buffer, plaintext: string, context: string): Buffer {
  const { createCipheriv } = process.getBuiltinModule("node:crypto");
  const iv = crypto.getRandomValues(Buffer.alloc(IV_BYTES));
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(plaintext, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Decrypts what {@link seal} returned.
 *
 * @throws Error when the key, the context or any byte differs from what was sealed.
 */
export function unseal(key: Buffer, sealed: Uint8Array, context: string): string {
  const { createDecipheriv } = process.getBuiltinModule("node:crypto");
  const bytes = Buffer.from(sealed);
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}

/** Returns the 32-byte SHA-256 of `text`. Use it for random secrets, never for passwords. */
export function sha256(text: string): Buffer {
  return Bun.CryptoHasher.hash("sha256", text) as Buffer;
}

/** Compares in constant time: how long it takes does not depend on where the two differ. */
export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && crypto.timingSafeEqual(a, b);
}
