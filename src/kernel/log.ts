import { currentRequestId } from "./current-request.ts";

/** Severities, lowest first. */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one record. `fields` must never hold secrets, request bodies or file contents. */
export type Log = (level: LogLevel, message: string, fields?: Record<string, unknown>) => void;

/**
 * Makes a log that passes one JSON line per record (`time`, `level`, `message`, then the fields) to `write`. A
 * record made during a request has its `requestId`. An error among the fields is written as its stack.
 */
export function jsonLog(minimum: LogLevel, write: (line: string) => void): Log {
  const threshold = LOG_LEVELS.indexOf(minimum);
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < threshold) return;
    const requestId = currentRequestId();
    const record = {
      time: new Date().toISOString(),
      level,
      message,
      ...(requestId !== undefined && { requestId }),
      ...fields,
    };
    write(`${JSON.stringify(record, (_, value) => (value instanceof Error ? describe(value) : value))}\n`);
  };
}

function describe(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}
