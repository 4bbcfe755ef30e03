import { type Db, prepared } from "./client.ts";

const state = prepared((db) =>
  db.$client.prepare<{ changes: number; version: number }, []>(
    "SELECT total_changes() AS changes, data_version AS version FROM pragma_data_version",
  ),
);

/** How many rows were changed {@link unnoticed}, by connection. */
const unnoticedRows = new WeakMap<Db["$client"], number>();

/** Returns a text that changes with every write, of this connection or another, but {@link unnoticed} ones. */
export function stateOfDatabase(db: Db): string {
  const { changes = 0, version = 0 } = state(db).get() ?? {};
  return `${changes - (unnoticedRows.get(db.$client) ?? 0)} ${version}`;
}

/** Makes writes that nothing which is remembered is read from, as of who used the server and when. */
export function unnoticed(db: Db, write: () => void): void {
  const before = state(db).get()?.changes ?? 0;
  try {
    write();
  } finally {
    const rows = (state(db).get()?.changes ?? 0) - before;
    unnoticedRows.set(db.$client, (unnoticedRows.get(db.$client) ?? 0) + rows);
  }
}

/** Returns what was read under a key; reads it when anything was written since it last was. */
export type Memory<Value> = (db: Db, key: string, read: () => Value) => Value;

/**
 * Remembers what readings of the database gave until the next write to it, whoever makes it.
 *
 * @param most Values that are kept per connection.
 */
export function createMemory<Value>(most: number): Memory<Value> {
  const memories = new WeakMap<Db, { state: string; values: Map<string, Value> }>();
  return (db, key, read) => {
    // What is read inside a transaction may never be written.
    if (db.$client.inTransaction) return read();
    const now = stateOfDatabase(db);
    let memory = memories.get(db);
    if (memory?.state !== now) {
      memory = { state: now, values: new Map() };
      memories.set(db, memory);
    }
    if (memory.values.has(key)) return memory.values.get(key) as Value;
    const value = read();
    if (memory.values.size < most) memory.values.set(key, value);
    return value;
  };
}
