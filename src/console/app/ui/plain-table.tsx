/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import "./plain-table.css";

type PlainTableProps = {
  /** Accessible name. */
  label: string;
  columns: readonly string[];
  /** Those of the columns that hold figures. Their cells have the class `figure`. */
  figures?: readonly string[];
  /** Whether the rows end with buttons. */
  hasActions?: boolean;
  /** Rows: a `th` and `td`s, which say by `data-label` what they are where there is no room for columns. */
  children: ComponentChildren;
};

/** A short table. On telephones each row is a card. */
export function PlainTable({ label, columns, figures = [], hasActions = false, children }: PlainTableProps) {
  return (
    <div class="plain-scroll">
      <table class="plain-table" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" class={figures.includes(column) ? "figure" : undefined}>
                {column}
              </th>
            ))}
            {hasActions && (
              <th scope="col">
                <span class="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
