import { join } from "node:path";
import type { Db } from "../../db/client.ts";
import { readFileIfThere } from "../kernel/master-secret.ts";
import { type SecretPurpose, secretsOf, unseal } from "../kernel/secrets.ts";
import { findStore } from "../store/identity.ts";
import type { Report } from "./finding.ts";
import { isItsSecret } from "./identity.ts";
import { DATABASE, SECRET } from "./manifest.ts";

/** A place of sealed values in the database. `rows` returns the `id`, `sealed` and `context` of each. */
type Sealed = { purpose: SecretPurpose; what: string; rows: string };

const SEALED: readonly Sealed[] = [
  {
    purpose: "key-copies",
    what: "The copy of a key",
    // A key that came with its account from another Dubplate has an empty one.
    rows: "SELECT id, secret_copy AS sealed, id AS context FROM api_keys WHERE length(secret_copy) > 0",
  },
  {
    purpose: "player-passwords",
    what: "The copy of a music app's password",
    // As of keys.
    rows: "SELECT id, secret_copy AS sealed, id AS context FROM players WHERE length(secret_copy) > 0",
  },
  {
    purpose: "webhook-secrets",
    what: "The signing secret of a webhook",
    rows: `SELECT id, webhook_secret AS sealed, 'webhook' AS context FROM api_keys WHERE webhook_secret IS NOT NULL`,
  },
  {
    purpose: "webhook-secrets",
    what: "The former signing secret of a webhook",
    rows: `SELECT key_id AS id, secret_before AS sealed, 'webhook' AS context FROM webhook_receivers
           WHERE secret_before IS NOT NULL`,
  },
  {
    purpose: "idempotency",
    what: "The answer that is kept for a repeated request",
    rows: `SELECT idempotency_key AS id, body AS sealed, principal AS context FROM idempotency_keys
           WHERE body IS NOT NULL`,
  },
  {
    purpose: "mails",
    what: "What a mail says",
    rows: "SELECT id, body AS sealed, id AS context FROM mails WHERE body IS NOT NULL",
  },
  {
    purpose: "marks",
    what: "The key of a version's marks",
    rows: "SELECT version_id AS id, key AS sealed, 'mark ' || version_id AS context FROM mark_keys",
  },
  {
    purpose: "ledger",
    what: "The key of a ledger",
    // One that was lost with a former secret signs nothing more.
    rows: `SELECT log_id AS id, seed AS sealed, 'ledger ' || log_id AS context FROM ledger_logs
           WHERE seed IS NOT NULL AND ended_because IS NOT 'key_lost'`,
  },
];

/** Checks that a library has its master secret, and that everything sealed with it opens. */
export function verifySecrets(db: Db, secret: Buffer | undefined, report: Report): void {
  if (!findStore(db)) {
    const detail = "The row that says which library this is does not exist";
    report({ kind: "missing", id: "store", path: DATABASE, detail });
  } else if (secret === undefined) {
    report({ kind: "missing", id: SECRET, path: SECRET, detail: "The master secret is missing" });
  } else if (!isItsSecret(db, secret)) {
    const detail =
      "The master secret does not belong to this library: put the right file back (every backup has it)";
    report({ kind: "damaged", id: SECRET, path: SECRET, detail });
  }
  // A wrong secret is one finding. A finding for every value that it cannot open would hide it.
  else openSealed(db, secret, report);
}

function openSealed(db: Db, secret: Buffer, report: Report): void {
  const secrets = secretsOf(secret);
  for (const { purpose, what, rows } of SEALED)
    for (const row of db.$client.query<{ id: string; sealed: Uint8Array; context: string }, []>(rows).all())
      try {
        unseal(secrets(purpose), row.sealed, row.context);
      } catch {
        const detail = `${what} cannot be opened with the master secret`;
        report({ kind: "damaged", id: row.id, path: null, detail });
      }
}

/** Reads the master secret of a data folder; undefined when it is missing. */
export function readSecret(dataDir: string): Buffer | undefined {
  return readFileIfThere(join(dataDir, SECRET));
}
