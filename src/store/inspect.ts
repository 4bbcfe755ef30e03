import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { MARKED_SINCE } from "../../db/migrations.ts";
import { isDamage, isNotDatabase } from "../kernel/trouble.ts";

/** The application id of a Dubplate database: "DPLT", set by migration 0016. */
const APPLICATION_ID = 0x44_50_4c_54;

const BUSY_TIMEOUT_MS = 10_000;

/** The result of inspecting a database file. */
export type Inspection =
  | { kind: "none" | "foreign" | "damaged" }
  | {
      kind: "ours";
      schema: number;
      store: { id: string; secretCheck: Uint8Array } | undefined;
      isUsed: boolean;
    };

/**
 * Inspects a database file without changing it. `none` means that the file is missing or has no tables. `isUsed` means
 * that it has accounts, so it is not left over from an unfinished first start.
 */
export function inspectFile(path: string): Inspection {
  if (!statSync(path, { throwIfNoEntry: false })?.size) return { kind: "none" };
  const client = new Database(path, { readonly: true });
  try {
    // After a crash, the first process to open the database locks it while it reads the log.
    client.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    return inspect(client);
  } catch (error) {
    if (isNotDatabase(error)) return { kind: "foreign" };
    if (isDamage(error)) return { kind: "damaged" };
    throw error;
  } finally {
    client.close();
  }
}

function inspect(client: Database): Inspection {
  const numberOf = (pragma: string) =>
    Number(Object.values(client.query<Record<string, number>, []>(`PRAGMA ${pragma}`).get() ?? {})[0]);
  const tables = new Set(
    client
      .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all()
      .map(({ name }) => name),
  );
  const [mark, schema] = [numberOf("application_id"), numberOf("user_version")];
  if (tables.size === 0 && mark === 0) return { kind: "none" };
  const isOlder = mark === 0 && schema > 0 && schema < MARKED_SINCE && tables.has("api_keys");
  if (mark !== APPLICATION_ID && !isOlder) return { kind: "foreign" };
  // A failed rescue leaves a file with our application id and without our tables.
  if (!tables.has("accounts")) return { kind: "damaged" };
  const store = tables.has("store")
    ? client
        .query<{ id: string; secretCheck: Uint8Array }, []>(
          "SELECT id, secret_check AS secretCheck FROM store",
        )
        .get()
    : undefined;
  const isUsed = client.query("SELECT 1 FROM accounts LIMIT 1").get() !== null;
  return { kind: "ours", schema, store: store ?? undefined, isUsed };
}
