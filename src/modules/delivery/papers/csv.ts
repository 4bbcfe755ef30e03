/** What a spreadsheet takes for a formula. @see OWASP, CSV Injection */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** So that spreadsheets read UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Returns a table as CSV for spreadsheets. Cells that would be taken for formulas get an apostrophe in front; characters that no
 * text has are dropped.
 *
 * @see RFC 4180
 */
export function csvText(
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const lines = [columns, ...rows].map((row) => row.map(cell).join(","));
  return `${BYTE_ORDER_MARK}${lines.join("\r\n")}\r\n`;
}

function cell(value: string | number | null): string {
  const text = String(value ?? "")
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n]/gu, "");
  const safe = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\n\r\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
