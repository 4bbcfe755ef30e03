import type { ExportLists, ExportSource, Plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = { ledger: recordsOf, ledgerHeads: headsOf };

/** What was recorded, with what the records commit to: whoever has all of a log computes its root. */
function* recordsOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db.$client.query<Row, [string]>(
    `SELECT l.log_id AS log, e.body, o.salt, o.detail FROM ledger_logs l JOIN ledger_entries e ON e.log = l.id
       LEFT JOIN ledger_openings o ON o.log = e.log AND o.seq = e.seq
     WHERE l.owner_id = ?1 ORDER BY l.id, e.seq`,
  );
  for (const { log, body, salt, detail } of rows.iterate(accountId))
    yield {
      log,
      entry: JSON.parse(body),
      opening: salt && detail !== null ? { salt: hex(salt), detail: JSON.parse(detail) } : null,
    };
}

type Row = { log: string; body: string; salt: Uint8Array | null; detail: string | null };

/** The signed roots. */
function* headsOf({ db, accountId }: ExportSource): Iterable<Plain> {
  const rows = db.$client.query<Head, [string]>(
    `SELECT h.head, h.signature, h.stamp, l.public_key AS publicKey FROM ledger_logs l JOIN ledger_heads h ON h.log = l.id
     WHERE l.owner_id = ?1 ORDER BY l.id, h.size`,
  );
  for (const { head, signature, stamp, publicKey } of rows.iterate(accountId))
    yield {
      head: JSON.parse(head),
      signature: hex(signature),
      publicKey: hex(publicKey),
      ...(stamp && { stamp: Buffer.from(stamp).toString("base64") }),
    };
}

type Head = { head: string; signature: Uint8Array; stamp: Uint8Array | null; publicKey: Uint8Array };

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
