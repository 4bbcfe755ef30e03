import type { Database, Statement } from "bun:sqlite";
import type { Db } from "./client.ts";

/** A statement that took long: its text with placeholders, never with values, on one line. */
export type SlowStatement = { sql: string; ms: number };

const MAX_SQL_CHARS = 500;
const TIMED = Symbol("timed");
type Timed = Statement & { [TIMED]?: true };
type Method = (...values: never[]) => unknown;

/**
 * Reports every statement of a connection that takes `overMs` or longer, the wait for a lock included. A statement
 * that its reader walks row by row is not timed, because the reader's work would count. It must be called before the
 * first statement is prepared that is to be timed.
 */
export function watchSlowStatements(
  { $client }: Db,
  overMs: number,
  report: (slow: SlowStatement) => void,
): void {
  const timed = (sql: string, method: Method): Method =>
    function (this: unknown, ...values) {
      const from = performance.now();
      try {
        return method.apply(this, values);
      } finally {
        const ms = performance.now() - from;
        if (ms >= overMs) report({ sql: oneLine(sql), ms: Math.round(ms) });
      }
    };
  const timeAll = (sql: string, statement: Timed): Statement => {
    if (statement[TIMED]) return statement; // from the cache of statements
    for (const name of ["get", "all", "values", "raw", "run"] as const)
      Object.assign(statement, { [name]: timed(sql, statement[name] as Method) });
    return Object.assign(statement, { [TIMED]: true });
  };

  const { prepare, query, run } = $client;
  const replaced: Partial<Record<keyof Database, unknown>> = {
    prepare: (sql: string, ...rest: never[]) => timeAll(sql, prepare.call($client, sql, ...rest)),
    query: (sql: string) => timeAll(sql, query.call($client, sql)),
    run: (sql: string, ...values: never[]) =>
      timed(sql, run as Method).call($client, ...([sql, ...values] as never[])),
  };
  Object.assign($client, replaced);
}

function oneLine(sql: string): string {
  const text = sql.replace(/\s+/g, " ").trim();
  return text.length > MAX_SQL_CHARS ? `${text.slice(0, MAX_SQL_CHARS)}…` : text;
}
