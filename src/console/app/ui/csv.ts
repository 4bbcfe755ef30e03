/** Has the browser save lines of cells as a table of comma-separated values. */
export function saveTable(name: string, lines: readonly (readonly string[])[]): void {
  const text = lines.map((line) => line.map(quoted).join(",")).join("\r\n");
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: `${name}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Spreadsheets read a cell that begins with one of these signs as a formula. */
const quoted = (cell: string) => `"${cell.replace(/^[=+\-@\t\r]/, "'$&").replaceAll('"', '""')}"`;
