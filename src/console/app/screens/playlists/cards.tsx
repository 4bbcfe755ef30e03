/** @jsxRuntime automatic @jsxImportSource preact */
import { can, canChange, isGuest } from "../../api/library.ts";
import { usePages } from "../../api/pages.ts";
import { useMaker } from "../../api/team.ts";
import { href } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { useTrackDrop } from "../../playlists/drag.ts";
import { openNewPlaylist } from "../../playlists/open.tsx";
import { type Card, cardsQuery, pathOf } from "../../playlists/types.ts";
import { Icon } from "../../ui/icon.tsx";
import { ListScreen } from "../../ui/list-screen.tsx";
import { Covers, countOf } from "./covers.tsx";
import "./playlists.css";

type Props = { kind: Card["kind"]; heading: string; empty: readonly [heading: string, words: string] };

/** Every playlist, or every album, as a card, those that are pinned first. */
export function Cards({ kind, heading, empty }: Props) {
  const pages = usePages(cardsQuery(isGuest() ? undefined : kind));
  const make = can("create:playlists")
    ? { id: `new-${kind}`, name: `New ${kind}`, run: () => openNewPlaylist({ kind }) }
    : undefined;
  return (
    <ListScreen heading={heading} pages={pages} {...(make && { make })} empty={empty}>
      {(cards) => (
        <ul class="playlist-cards" aria-label={heading}>
          {cards
            .toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned))
            .map((card) => (
              <PlaylistCard key={card.id} card={card} />
            ))}
        </ul>
      )}
    </ListScreen>
  );
}

function PlaylistCard({ card }: { card: Card }) {
  const { id, name, trackCount, durationSec, isPinned } = card;
  const maker = useMaker(card.madeBy);
  const { isOver, handlers } = useTrackDrop({ id, name }, canChange(card));
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
        {maker && ` · ${maker}`}
        {card.collaborative && " · Collaborative"}
      </p>
      {isOver && <span class="drop-here">Add to {name}</span>}
    </li>
  );
}
