import { type Db, prepared } from "./client.ts";

const state = prepared((db) =>
  db.$client.prepare<{ state: string }, []>(
    "SELECT total_changes() || char(32) || data_version AS state FROM pragma_data_version",
  ),
);

/** Returns a text that changes with every write, of this connection or another. */
export function stateOfDatabase(db: Db): string {
  return state(db).get()?.state ?? "";
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
