/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";

/** What a list shows when it has nothing: a heading, a sentence and what to do about it. */
export function Empty({ heading, children }: { heading: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{heading}</h2>
      {children}
    </div>
  );
}
