import type { Db } from "../../../../db/client.ts";
import { giveFamilies } from "./queries.ts";

/** Gives the families of an account to another one. Their members go with the tracks. */
export function transferFamilies(tx: Db, from: string, to: string): void {
  giveFamilies(tx, from, to);
}
