import { eq } from "drizzle-orm";
import type { Db } from "../../../../db/client.ts";
import { briefSubmissions } from "../../../../db/schema.ts";
import type { Secrets } from "../../../kernel/secrets.ts";
import { normaliseEmail } from "../../people/people/service.ts";

/** Returns the same hash for the same identity; useless without the server's secret (decision 2.23). */
export function submitterHash(secrets: Secrets, identity: string | null): string | null {
  const normalised = normaliseEmail(identity ?? "");
  if (normalised === "") return null;
  return new Bun.CryptoHasher("sha256", secrets("submitter-ids")).update(normalised).digest("base64url");
}

/**
 * Hashes the identities of submitters for a new master secret, so that a person stays the same one. An identity is found
 * again in what its submissions say of it. A hash whose identity is gone stays as it is. Returns how many changed.
 */
export function rehashSubmitters(tx: Db, from: Secrets, to: Secrets): number {
  const identities = tx.$client.query<{ hash: string; identity: string }, []>(
    `SELECT s.submitter_hash AS hash, p.value AS identity
     FROM brief_submissions s LEFT JOIN brief_requests r ON r.id = s.request_id
     LEFT JOIN members m ON m.account_id = s.submitter_account_id AND m.role = 'owner'
     LEFT JOIN people o ON o.id = m.person_id
     JOIN json_each(json_array(s.submitter_email, r.email, o.email)) p
     WHERE s.submitter_hash IS NOT NULL AND p.value IS NOT NULL GROUP BY 1, 2`,
  );
  let changed = 0;
  for (const { hash, identity } of identities.all()) {
    if (submitterHash(from, identity) !== hash) continue;
    const rehashed = { submitterHash: submitterHash(to, identity) };
    tx.update(briefSubmissions).set(rehashed).where(eq(briefSubmissions.submitterHash, hash)).run();
    changed++;
  }
  return changed;
}
