import { isMediaErrorCode, MediaError } from "./media-error.ts";

/** What our own child says about a decoding on its last line of standard error. */
export type ChildReport =
  | { ok: true; declaredSec: number | null; isDamaged: boolean }
  | { ok: false; code: MediaError["code"]; detail: string };

const MARK = "media-report ";

/** Returns the line that hands a report over. */
export function writeReport(report: ChildReport): string {
  return `\n${MARK}${JSON.stringify(report)}\n`;
}

/**
 * Finds the report in what a child said. The child reads bytes of strangers, so nothing in it is believed
 * beyond its shape; a child that died without one had a file it could not read.
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

/** Returns the error that a failed report stands for. */
export function reportedError(report: Extract<ChildReport, { ok: false }>): MediaError {
  return new MediaError(report.code, report.detail);
}
