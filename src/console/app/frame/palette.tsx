/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isGuest } from "../api/library.ts";
import { query, useQuery } from "../api/queries.ts";
import { memory } from "../memory.ts";
import { go } from "../router.ts";
import { keyParts } from "../ui/actions.ts";
import { Combobox, type Option } from "../ui/combobox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { Command } from "../ui/keys.ts";
import { ranked } from "../ui/ranking.ts";
import { attempt } from "../ui/toast.tsx";
import { findThings } from "./palette-hits.ts";
import { allCommands, isOffered } from "./places.ts";

const PAUSE_MS = 150;
const MAX_LINES = 40;
const MAX_RECENT = 30;
/** So many words are a description, and not a name. */
const WORDS_OF_A_BRIEF = 4;

type Line = Option & { run: () => unknown };

/** Everything that can be done here, every screen, and what the server finds by the typed text. */
export function Palette({ onClose }: { onClose: () => void }) {
  const text = useSignal("");
  const things = useSignal<readonly Command[]>([]);
  const { data } = useQuery(query("/app/account", {}, {}));
  // What could be done before the palette opened: it has the keyboard now.
  const commands = useSignal(allCommands());
  const mine = commands.value.filter((each) => isOffered(each, data?.data));
  useEffect(() =>
    text.subscribe((typed) => {
      const ended = new AbortController();
      const timer = setTimeout(async () => {
        // What the server finds is of the whole library.
        if (!isGuest()) things.value = await findThings(typed, ended.signal).catch(() => things.value);
      }, PAUSE_MS);
      pending?.();
      pending = () => {
        clearTimeout(timer);
        ended.abort();
      };
    }),
  );
  const lines = linesOf(text.value, mine, things.value);
  return (
    <Dialog label="Command palette" kind="palette" hasHeading={false} onClose={onClose}>
      <Combobox<Line>
        label="Type a command or search"
        isLabelHidden
        isInline
        autofocus
        placeholder="Type a command or search"
        text={text}
        options={lines}
        nothing="Nothing found"
        onChoose={(line) => {
          onClose();
          remember(line.id);
          attempt(line.run);
        }}
      />
    </Dialog>
  );
}

/** Stops the look-up of the earlier text. */
let pending: (() => void) | undefined;

function linesOf(text: string, commands: readonly Command[], things: readonly Command[]): Line[] {
  const sign = /^[>#@]/.exec(text)?.[0];
  const typed = text.replace(/^[>#@]\s*/, "");
  const isBrief = !isGuest() && sign === undefined && typed.trim().split(/\s+/).length >= WORDS_OF_A_BRIEF;
  const brief: Command = {
    id: "search-by-description",
    name: "Search by description",
    run: () => go(`/library/search?${new URLSearchParams({ q: typed.trim() })}`),
  };
  const own =
    sign === undefined || sign === ">" ? ranked(typed, commands, memory.get<string[]>("recent") ?? []) : [];
  return [...(isBrief ? [brief] : []), ...own, ...(sign === ">" ? [] : things)]
    .slice(0, MAX_LINES)
    .map(toLine);
}

function toLine({ id, name, keys, hint, run }: Command): Line {
  const parts = keys?.[0] === undefined ? [] : keyParts(keys[0]);
  return {
    id,
    text: name,
    run: () => run(),
    ...(parts.length > 0 && { hint: parts.map((part) => <kbd key={part}>{part}</kbd>) }),
    ...(hint !== undefined && { hint }),
  };
}

function remember(id: string): void {
  const before = memory.get<string[]>("recent") ?? [];
  memory.set("recent", [id, ...before.filter((each) => each !== id)].slice(0, MAX_RECENT));
}
