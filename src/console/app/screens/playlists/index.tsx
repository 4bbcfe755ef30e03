/** @jsxRuntime automatic @jsxImportSource preact */

import { usePages } from "../../api/pages.ts";
import { href } from "../../first-data.ts";
import { clock } from "../../player/time.ts";
import { useTrackDrop } from "../../playlists/drag.ts";
import { openNewPlaylist } from "../../playlists/open.tsx";
import { CARDS_DEPEND, CARDS_URL, type Card } from "../../playlists/types.ts";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useCommands } from "../../ui/keys.ts";
import { Problem } from "../../ui/problem.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Covers, countOf } from "./covers.tsx";
import "./playlists.css";

/** Every playlist as a card, those that are pinned first. */
export default function PlaylistsScreen() {
  const { items, isWhole, error, retry } = usePages<Card>(CARDS_URL, CARDS_DEPEND);
  useCommands([{ id: "new-playlist", name: "New playlist", run: () => openNewPlaylist() }]);
  const pinnedFirst = items?.toSorted((a, b) => Number(b.isPinned) - Number(a.isPinned));
  const create = (
    <button type="button" class="button secondary" onClick={() => void openNewPlaylist()}>
      <Icon name="add" />
      New playlist
    </button>
  );
  return (
    <Screen heading="Playlists" {...(items && isWhole && { note: String(items.length) })} tools={create}>
      {error !== null && error !== undefined && <Problem error={error} onRetry={retry} />}
      {pinnedFirst?.length === 0 && (
        <Empty heading="No playlist yet">
          <p class="soft">
            A playlist holds tracks in an order. Share it with one link, and whoever opens it hears them at
            the same loudness.
          </p>
        </Empty>
      )}
      {pinnedFirst && pinnedFirst.length > 0 && (
        <ul class="playlist-cards">
          {pinnedFirst.map((card) => (
            <PlaylistCard key={card.id} card={card} />
          ))}
        </ul>
      )}
    </Screen>
  );
}

function PlaylistCard({ card: { id, name, covers, trackCount, durationSec, isPinned } }: { card: Card }) {
  const { isOver, handlers } = useTrackDrop({ id, name });
  return (
    <li class="playlist-card drop-target" {...handlers}>
      <Covers id={id} covers={covers} />
      <a class="playlist-name" href={href(`/library/playlists/${id}`)}>
        {name}
      </a>
      <p class="soft">
        {isPinned && <Icon name="pin" />}
        {countOf(trackCount)}
        {durationSec > 0 && ` · ${clock(durationSec)}`}
      </p>
      {isOver && <span class="drop-here">Add to {name}</span>}
    </li>
  );
}
