import type { ExportLists, ExportSource, Plain } from "../../../kernel/exported.ts";

export const lists: ExportLists = {
  brand: brandsOf,
};

/** What the account's pages show in the place of our name; at most one row. */
function brandsOf({ db, accountId, files }: ExportSource): Plain[] {
  return db.$client
    .query<Plain & { logo: string | null }, [string]>(
      "SELECT name, accent, website, logo_key AS logo FROM brands WHERE account_id = ?",
    )
    .all(accountId)
    .map(({ logo, ...row }) => ({ ...row, logoFile: files.addPicture(logo, "logo") }));
}
