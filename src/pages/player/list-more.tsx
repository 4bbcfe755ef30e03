/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { ListEnd } from "./model.ts";

/** A link to the next items of a list. The script replaces it with them. */
export function ListMore({ end, children }: { end: ListEnd; children: ComponentChildren }) {
  return (
    <li class="more">
      <a class="button secondary" href={end.pageHref} rel="next" data-list={end.listHref}>
        {children}
      </a>
      <span class="more-message" role="status" />
    </li>
  );
}
