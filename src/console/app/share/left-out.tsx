/** @jsxRuntime automatic @jsxImportSource preact */
import { grouped } from "../ui/numbers.ts";

const WHY: Readonly<Record<string, string>> = {
  owner: "your own visits and listening",
  repeat: "reloads by the same visitor within half an hour",
  machine: "machines, such as link previews and mail scanners",
  head: "machines that asked only for the header",
  prefetch: "pages that a browser fetched ahead",
  unseen: "pages that were loaded but never looked at",
  short: "listens too short for a play (less than 30 seconds, or than half of a short track)",
  incomplete: "downloads that were interrupted",
};

/** Returns why something was not counted. */
export const whyOf = (reason: string): string => WHY[reason] ?? reason;

type Left = { reason: string; count: number };

/** What the counts leave out, and why. */
export function NotCounted({ notCounted }: { notCounted: readonly Left[] }) {
  if (notCounted.length === 0) return null;
  return (
    <details class="left-out-why">
      <summary>Not counted: {grouped(notCounted.reduce((sum, { count }) => sum + count, 0))}</summary>
      <ul>
        {notCounted.map(({ reason, count }) => (
          <li key={reason}>
            {grouped(count)} × {whyOf(reason)}
          </li>
        ))}
      </ul>
    </details>
  );
}
