import { saveText } from "../actions/download.ts";

/** Has the browser save lines of cells as a table of comma-separated values. */
export function saveTable(name: string, lines: readonly (readonly string[])[]): void {
  const text = lines.map((line) => line.map(quoted).join(",")).join("\r\n");
  saveText(`${name}.csv`, `\ufeff${text}`, "text/csv");
}

/** Spreadsheets read a cell that begins with one of these signs as a formula. */
const quoted = (cell: string) => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
