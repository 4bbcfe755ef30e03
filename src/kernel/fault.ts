import { appendFileSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Writes an unexpected error to `errors.log` in the data folder or, if that is not possible, in the system's temporary
 * folder. Returns a sentence for people with a code that finds the record.
 */
export function reportFault(error: unknown, dataDir: string): string {
  const code = crypto.randomUUID().slice(0, 8);
  const record = { time: new Date().toISOString(), level: "error", message: "The program failed", code };
  const line = `${JSON.stringify({ ...record, error: describe(error) })}\n`;
  for (const folder of [resolve(dataDir), tmpdir()]) {
    const path = join(folder, "errors.log");
    try {
      if (!existsSync(folder)) continue;
      appendFileSync(path, line, { mode: 0o600 });
      return `Dubplate failed and stopped (code ${code}): the details are in ${path}`;
    } catch {
      // The folder is full or not writable: try the next one.
    }
  }
  return `Dubplate failed and stopped (code ${code}), and could not write down why: ${messageOf(error)}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\ncaused by ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
