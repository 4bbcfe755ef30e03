import { Database } from "bun:sqlite";

/** Remembers every statement that is prepared from now on. */
export function watchStatements(): ReadonlySet<string> {
  const seen = new Set<string>();
  const { prepare, query } = Database.prototype;
  Database.prototype.prepare = function (this: Database, sql: string, ...rest: never[]) {
    seen.add(sql);
    return prepare.call(this, sql, ...rest);
  } as typeof prepare;
  Database.prototype.query = function (this: Database, sql: string) {
    seen.add(sql);
    return query.call(this, sql);
  } as typeof query;
  return seen;
}

/** Returns the steps by which SQLite carries out a statement; none where it is no statement of this database. */
export function planOf(database: Database, sql: string): string[] {
  if (!/^\s*(?:select|with|insert|update|delete)\b/i.test(sql)) return [];
  try {
    return database
      .prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail);
  } catch {
    return [];
  }
}
