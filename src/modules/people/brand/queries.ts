import { type Db, prepared } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";

export type BrandRow = {
  name: string | null;
  accent: string | null;
  website: string | null;
  logoKey: string | null;
};

const brand = prepared((db) =>
  db.$client.prepare<BrandRow, [string]>(
    "SELECT name, accent, website, logo_key AS logoKey FROM brands WHERE account_id = ?",
  ),
);

export function findBrand(db: Db, accountId: LibraryId): BrandRow | undefined {
  return brand(db).get(accountId) ?? undefined;
}

export function writeBrand(tx: Db, accountId: LibraryId, { name, accent, website, logoKey }: BrandRow): void {
  tx.$client
    .query<void, [string, ...(string | null)[]]>(
      `INSERT INTO brands (account_id, name, accent, website, logo_key) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (account_id) DO UPDATE
       SET name = excluded.name, accent = excluded.accent, website = excluded.website, logo_key = excluded.logo_key`,
    )
    .run(accountId, name, accent, website, logoKey);
}
