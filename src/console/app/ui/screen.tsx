/** @jsxRuntime automatic @jsxImportSource preact */
import { effect, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { place } from "../router.ts";

/** The heading of what shows; the panel's while there is one. */
const headings = signal<readonly string[]>([]);
/** Stands before the window's title while something plays. */
export const playingTitle = signal<string | undefined>(undefined);

effect(() => {
  const heading = headings.value.at(-1);
  if (heading === undefined) return;
  const playing = playingTitle.value === undefined ? "" : `▶ ${playingTitle.value} · `;
  document.title = `${playing}${heading} · Dubplate`;
});

/** What a screen gets: the ids in its address, and whether it shows as a panel beside a list. */
export type ScreenProps = { params: Readonly<Record<string, string>>; isPanel?: boolean };

type FrameProps = {
  heading: string;
  /** Beside the heading: a count. */
  note?: ComponentChildren;
  /** At the right of the heading. */
  tools?: ComponentChildren;
  /** Another layout: `list` fills the height and scrolls inside. */
  kind?: "page" | "list";
  children?: ComponentChildren;
};

/** A screen: its heading, which gets the focus when it was come to, the window's title, and what it shows. */
export function Screen({ heading, note, tools, kind = "page", children }: FrameProps) {
  const title = useHeading(heading);
  return (
    <div class={`screen screen-${kind}`}>
      <header class="screen-head">
        <h1 ref={title} tabIndex={-1}>
          {heading}
        </h1>
        {note !== undefined && <p class="screen-note">{note}</p>}
        {tools !== undefined && <div class="screen-tools">{tools}</div>}
      </header>
      {children}
    </div>
  );
}

/**
 * Makes `heading` the window's title while the component shows, and gives the focus to the element of the returned ref when
 * the place was come to by a link. After Back, the same element gets the focus again, if the screen sees to it.
 */
export function useHeading<Kind extends HTMLElement = HTMLHeadingElement>(heading: string) {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    headings.value = [...headings.peek(), heading];
    return () => {
      const at = headings.peek().lastIndexOf(heading);
      headings.value = headings.peek().filter((_, index) => index !== at);
    };
  }, [heading]);
  useLayoutEffect(() => {
    if (place.peek().by === "push") element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
