import { type Db, transact } from "../../../../db/client.ts";
import type { LibraryId } from "../../../../db/schema.ts";
import { type Member, type Reach, requireOwn } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import type { Page } from "../../../kernel/paging.ts";
import { peopleIn } from "../../people/people/service.ts";
import { publicLinksOf, setPublic } from "../../sharing/shares/service.ts";
import { artworkUrl } from "../artwork/service.ts";
import * as cards from "./card-queries.ts";
import type { NewPlaylist, PlaylistCard, PlaylistRow } from "./card-shapes.ts";
import { readNumber, stepsOf } from "./facts.ts";
import { findPlaylist, type ListedPlaylist, updatePlaylist } from "./queries.ts";
import { createPlaylist, listPlaylists } from "./service.ts";
import type { ListPlaylistsQuery, Playlist } from "./shapes.ts";
import { toPlaylist } from "./wire.ts";

type CardDeps = Pick<Deps, "db" | "now" | "settings">;

/** What concerns the whole library is nobody's own. */
const NOBODYS = { madeBy: null };

/** Whoever reads playlists, and how much of a library they reach. */
type Reader = Reach & { accountId: LibraryId };

/**
 * Returns a page of the playlists that somebody reaches as cards, newest first.
 *
 * @throws DomainError `validation_failed` for a cursor of another listing.
 */
export function listCards(deps: CardDeps, reader: Reader, query: ListPlaylistsQuery): Page<PlaylistCard> {
  const among = reader.rooms?.map(({ playlistId }) => playlistId);
  const { items, paging } = listPlaylists(deps, reader.accountId, query, among);
  return { items: toCards(deps, reader, items), paging };
}

/** Returns one playlist as a card. @throws DomainError `playlist_not_found`. */
export function getCard(deps: CardDeps, reader: Reader, id: string): PlaylistCard {
  const row = rowOf(deps.db, reader.accountId, id);
  const [card] = toCards(deps, reader, [toPlaylist(deps.settings, row)]);
  if (!card) throw new RangeError("A playlist has a card");
  return card;
}

/**
 * Makes a playlist, perhaps without tracks. No one else can open it until it is shared.
 *
 * @throws DomainError `track_not_found`; `validation_failed` for a blank name.
 */
export function createCard(
  deps: CardDeps,
  actor: Member,
  { trackIds = [], ...wanted }: NewPlaylist,
): PlaylistCard {
  const made = createPlaylist(deps, actor, { ...wanted, trackIds }, { isShared: false });
  if (!made.ok) throw new DomainError("track_not_found", made.message);
  return getCard(deps, actor, made.playlist.id);
}

/**
 * Pins a playlist to the front of the others for everyone in the library, or lets it go.
 *
 * @throws DomainError `playlist_not_found`; `insufficient_scope` where the role allows changing only one's own playlists.
 */
export function pinCard(deps: CardDeps, actor: Member, id: string, isPinned: boolean): PlaylistCard {
  const ownerId = actor.accountId;
  transact(deps.db, (tx) => {
    rowOf(tx, ownerId, id);
    requireOwn(actor, "update:playlists", NOBODYS);
    updatePlaylist(tx, ownerId, id, { isPinned });
  });
  return getCard(deps, actor, id);
}

/**
 * Lets anyone with the public link open a playlist, or turns that off.
 *
 * @throws DomainError `playlist_not_found`.
 */
export function publishCard(deps: CardDeps, ownerId: LibraryId, id: string, isPublic: boolean): PlaylistCard {
  transact(deps.db, (tx) => {
    rowOf(tx, ownerId, id);
    setPublic(tx, ownerId, id, isPublic, deps.now());
  });
  return getCard(deps, { accountId: ownerId }, id);
}

/** Returns the tracks of a playlist in order, each as a flat row. @throws DomainError `playlist_not_found`. */
export function listRows(deps: CardDeps, ownerId: LibraryId, id: string): PlaylistRow[] {
  rowOf(deps.db, ownerId, id);
  const stored = cards.selectRows(deps.db, id);
  const steps = stepsOf(stored);
  return stored.map(({ name, title, cover, visible, discNumber, trackNumber, ...row }, at) => ({
    ...row,
    title: title ?? name,
    cover: cover === null ? null : artworkUrl(deps.settings, cover),
    visible: visible === 1,
    stepLu: steps[at] ?? null,
    disc: readNumber(discNumber),
    number: readNumber(trackNumber),
  }));
}

function rowOf(db: Db, ownerId: LibraryId, id: string): ListedPlaylist {
  const row = findPlaylist(db, ownerId, id);
  if (!row) throw new DomainError("playlist_not_found", "There is no such playlist");
  return row;
}

function toCards(
  deps: CardDeps,
  { accountId, rooms }: Reader,
  playlists: readonly Playlist[],
): PlaylistCard[] {
  const ids = playlists.map(({ id }) => id);
  const sums = cards.selectSums(deps.db, ids);
  // Links are no guest's business.
  const links = rooms ? [] : publicLinksOf(deps, "playlist", ids);
  const by = peopleIn(
    deps,
    accountId,
    sums.map(({ madeBy }) => madeBy),
  );
  return playlists.map((playlist, at) => {
    const { durationSec, covers, madeBy } = sums[at] ?? { durationSec: 0, covers: "[]", madeBy: null };
    const pairs: [trackId: string, key: string | null][] = JSON.parse(covers);
    return {
      ...playlist,
      publicUrl: links[at] ?? null,
      durationSec,
      covers: pairs.map(([trackId, key]) => ({ trackId, cover: key && artworkUrl(deps.settings, key) })),
      madeBy: by(madeBy),
    };
  });
}
