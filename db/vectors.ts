import type { Database } from "bun:sqlite";
import * as sqliteVec from "sqlite-vec";

/** Lets a connection use sqlite-vec: its tables `vec0` and its functions `vec_...`. */
export function loadVectors(client: Database): void {
  if (client.query("SELECT 1 FROM pragma_module_list WHERE name = 'vec0'").get() !== null) return;
  client.loadExtension(sqliteVec.getLoadablePath());
}
