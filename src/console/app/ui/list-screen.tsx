/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import type { Pages } from "../api/pages.ts";
import { Button } from "./button.tsx";
import { Empty } from "./empty.tsx";
import { type Command, useCommands } from "./keys.ts";
import { Problem } from "./problem.tsx";
import { Screen } from "./screen.tsx";

type ListScreenProps<Item> = {
  heading: string;
  pages: Pages<Item>;
  /** Makes another one: a button beside the heading, and a line of the palette. */
  make?: Command;
  /** What shows while there is none: a heading, and what could be done about it. */
  empty: readonly [heading: string, words: ComponentChildren];
  children: (items: readonly Item[]) => ComponentChildren;
};

/** A screen that lists everything of a kind. Its number is beside the heading once every page was read. */
export function ListScreen<Item>({ heading, pages, make, empty, children }: ListScreenProps<Item>) {
  const { items, isWhole, error, retry } = pages;
  useCommands(make ? [make] : []);
  const tools = make && (
    <Button icon="add" run={make.run}>
      {make.name}
    </Button>
  );
  return (
    <Screen heading={heading} {...(items && isWhole && { note: String(items.length) })} tools={tools}>
      <Problem error={error} onRetry={retry} />
      {items?.length === 0 && (
        <Empty heading={empty[0]}>
          <p class="soft">{empty[1]}</p>
        </Empty>
      )}
      {items && items.length > 0 && children(items)}
    </Screen>
  );
}
