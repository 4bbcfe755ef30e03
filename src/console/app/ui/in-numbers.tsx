/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

type InNumbersProps = {
  /** What the picture shows. */
  of: string;
  /** Accessible name of the table. */
  label: string;
  columns: readonly string[];
  /** Rows; their figures stand at the right, but for the first. */
  children: ComponentChildren;
};

/** The numbers of a picture, folded. */
export function InNumbers({ of, label, columns, children }: InNumbersProps) {
  return (
    <details class="in-numbers">
      <summary>
        In numbers<span class="sr-only">: {of}</span>
      </summary>
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </details>
  );
}
