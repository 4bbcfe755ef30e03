import type { Db } from "../../../../db/client.ts";

/** Gives an account's deliveries to another one. */
export function transferPackages(tx: Db, from: string, to: string): void {
  tx.$client.query("UPDATE delivery_packages SET owner_id = ? WHERE owner_id = ?").run(to, from);
}
