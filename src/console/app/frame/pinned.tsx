/** @jsxRuntime automatic @jsxImportSource preact */
import { canChange } from "../api/library.ts";
import { usePages } from "../api/pages.ts";
import { type AnswerOf, query } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { useTrackDrop } from "../playlists/drag.ts";
import { pathOf } from "../playlists/types.ts";
import { match } from "../router.ts";

type Playlist = AnswerOf<"/app/library/playlists">["data"][number];

const MAX_SHOWN = 12;

/** The playlists that are pinned, as ways to them and as places to drop tracks on. */
export function PinnedPlaylists() {
  // Without covers and lengths, which every change of a track may change.
  const { items = [] } = usePages(
    query("/app/library/playlists", { query: { limit: 100 } }, { playlists: "all" }),
  );
  const pinned = items.filter(({ isPinned }) => isPinned).slice(0, MAX_SHOWN);
  if (pinned.length === 0) return null;
  return (
    <ul class="nav-pinned" aria-label="Pinned playlists">
      {pinned.map((playlist) => (
        <PinnedPlaylist key={playlist.id} {...playlist} />
      ))}
    </ul>
  );
}

function PinnedPlaylist(playlist: Playlist) {
  const { id, name, kind } = playlist;
  const { isOver, handlers } = useTrackDrop({ id, name }, canChange(playlist));
  const isCurrent = match.value?.params.playlistId === id;
  return (
    <li class="drop-target" {...handlers}>
      <a
        class="nav-link"
        href={href(pathOf({ id, kind }))}
        title={name}
        {...(isCurrent && { "aria-current": "page" as const })}
      >
        <span>{name}</span>
      </a>
      {isOver && <span class="drop-here">Add to {name}</span>}
    </li>
  );
}
