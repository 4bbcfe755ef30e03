/** @jsxRuntime automatic @jsxImportSource preact */
import type { ComponentChildren } from "preact";
import { usePages } from "../../api/pages.ts";
import { href } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { useTrackDrop } from "../../playlists/drag.ts";
import { openNewPlaylist } from "../../playlists/open.tsx";
import { CARDS_DEPEND, CARDS_URLS, type Card, pathOf } from "../../playlists/types.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useCommands } from "../../ui/keys.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Covers, countOf } from "./covers.tsx";
import "./playlists.css";

type Props = { kind: Card["kind"]; heading: string; empty: string; children: ComponentChildren };

/** Every playlist, or every album, as a card, those that are pinned first. `children` stand where there are none. */
export function Cards({ kind, heading, empty, children }: Props) {
  const { items, isWhole, error, retry } = usePages<Card>(CARDS_URLS[kind], CARDS_DEPEND);
  const create = `New ${kind}`;
  useCommands([{ id: `new-${kind}`, name: create, run: () => openNewPlaylist({ kind }) }]);
  const pinnedFirst = items?.toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned));
  const tools = (
    <Button look="secondary" icon="add" run={() => openNewPlaylist({ kind })}>
      {create}
    </Button>
  );
  return (
    <Screen heading={heading} {...(items && isWhole && { note: String(items.length) })} tools={tools}>
      <Problem error={error} onRetry={retry} />
      {pinnedFirst?.length === 0 && <Empty heading={empty}>{children}</Empty>}
      {pinnedFirst && pinnedFirst.length > 0 && (
        <ul class="playlist-cards" aria-label={heading}>
          {pinnedFirst.map((card) => (
            <PlaylistCard key={card.id} card={card} />
          ))}
        </ul>
      )}
    </Screen>
  );
}

function PlaylistCard({ card }: { card: Card }) {
  const { id, name, trackCount, durationSec, isPinned } = card;
  const { isOver, handlers } = useTrackDrop({ id, name });
  return (
    <li class="playlist-card drop-target" {...handlers}>
      <Covers {...card} />
      <a class="playlist-name" href={href(pathOf(card))}>
        {name}
      </a>
      {card.artist && <p class="playlist-artist">{card.artist}</p>}
      <p class="soft">
        {isPinned && <Icon name="pin" />}
        {countOf(trackCount)}
        {durationSec > 0 && ` · ${clock(durationSec)}`}
      </p>
      {isOver && <span class="drop-here">Add to {name}</span>}
    </li>
  );
}
