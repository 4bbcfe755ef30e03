/** Argon2id with OWASP's first recommended parameters (19 MiB, 2 passes): about 100 ms, off the event loop. */
const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;

/** Of a password that nobody has: an unknown e-mail address costs as much as a wrong password. */
let decoyHash: Promise<string> | undefined;

/** Returns the PHC string to store. */
export function hashPassword(password: string): Promise<string> {
  return Bun.password.hash(password, ARGON2ID);
}

/** True when `password` belongs to `hash`. Without a hash it works as hard and returns false. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  if (hash !== undefined) return Bun.password.verify(password, hash);
  decoyHash ??= hashPassword(crypto.randomUUID());
  await Bun.password.verify(password, await decoyHash);
  return false;
}
