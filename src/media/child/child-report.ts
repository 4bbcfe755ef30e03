import { EXIT_MISUSED } from "../../kernel/child-commands.ts";
import { isMediaErrorCode, MediaError } from "../media-error.ts";
import { type ChildEnd, startFailure } from "./child-process.ts";

/** What our own child reports about a decoding on the last line of its standard error. */
export type ChildReport =
  | { ok: true; declaredSec: number | null; isDamaged: boolean }
  | { ok: false; code: MediaError["code"]; detail: string };

const MARK = "media-report ";

/** Returns the line that carries a report. */
export function writeReport(report: ChildReport): string {
  return `\n${MARK}${JSON.stringify(report)}\n`;
}

/**
 * Finds the report in a child's standard error. The child reads untrusted bytes, so only the shape of the report is
 * trusted. A child that ended without a report could not read its file.
 */
export function readReport(stderr: string): ChildReport {
  const line = stderr.split("\n").findLast((candidate) => candidate.startsWith(MARK));
  const report = line === undefined ? undefined : parse(line.slice(MARK.length));
  if (report?.ok === true) {
    const { declaredSec } = report;
    return {
      ok: true,
      declaredSec: typeof declaredSec === "number" ? declaredSec : null,
      isDamaged: report.isDamaged === true,
    };
  }
  const code = isMediaErrorCode(report?.code) ? report.code : "corrupt";
  return { ok: false, code, detail: typeof report?.detail === "string" ? report.detail : stderr };
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns why one of this program's own children failed, or undefined when it succeeded. A MediaError is a fault of
 * the file. Any other error is a fault of the program, or the reason for which it was stopped.
 */
export function ownFailure(end: ChildEnd): Error | undefined {
  const { exitCode, stopped, stderr } = end;
  const failure = stopped ?? startFailure(end);
  if (failure) return failure;
  if (exitCode === EXIT_MISUSED) return new Error(`The program failed to start its own child: ${stderr}`);
  const report = readReport(stderr);
  return exitCode === 0 || report.ok ? undefined : new MediaError(report.code, report.detail);
}
