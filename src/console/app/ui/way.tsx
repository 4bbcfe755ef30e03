/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { canOpen } from "../api/needs.ts";
import { href } from "../first-data.ts";

type WayProps = { path: string; class?: string; children: ComponentChildren };

/** A link within the console; its words alone where the role does not allow what it leads to. */
export function Way({ path, class: name, children }: WayProps) {
  const look = name === undefined ? {} : { class: name };
  if (!canOpen(path)) return <span {...look}>{children}</span>;
  return (
    <a {...look} href={href(path)}>
      {children}
    </a>
  );
}
