import type { LibraryId } from "../../../../db/schema.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { artworkUrl } from "../../library/artwork/service.ts";
import { titleOf } from "../../library/catalog/service.ts";
import * as queries from "./queries.ts";
import type { AssistantCall } from "./shapes.ts";

/** What a call was about, each null when it was about no such thing, or the thing is gone. */
type About = Pick<AssistantCall, "track" | "playlist" | "composer">;

/** Returns how to look up what a call was about, with the names of today; reads the database once for all `rows`. */
export function aboutOf(
  { db, settings }: Pick<Deps, "db" | "settings">,
  accountId: LibraryId,
  rows: readonly queries.ListedCall[],
): (row: queries.ListedCall) => About {
  const idsOf = (name: string) => rows.flatMap((row) => idIn(row, name) ?? []);
  const pictureOf = (key: string | null) => (key === null ? null : artworkUrl(settings, key));
  const tracks = queries.selectCallTracks(db, accountId, idsOf("trackId")).map(({ id, cover, ...names }) => ({
    id,
    title: titleOf(names),
    name: titleOf({ ...names, title: null }),
    cover: pictureOf(cover),
  }));
  const playlists = queries
    .selectCallPlaylists(db, accountId, idsOf("playlistId"))
    .map((playlist) => ({ ...playlist, image: pictureOf(playlist.image) }));
  const composers = queries.selectCallComposers(db, accountId, idsOf("composerId"));

  const [trackOf, playlistOf, composerOf] = [finder(tracks), finder(playlists), finder(composers)];
  return (row) => ({
    track: trackOf(idIn(row, "trackId")),
    playlist: playlistOf(idIn(row, "playlistId")),
    composer: composerOf(idIn(row, "composerId")),
  });
}

function finder<Thing extends { id: string }>(things: readonly Thing[]) {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  return (id = ""): Thing | null => byId.get(id) ?? null;
}

function idIn(row: queries.ListedCall, name: string): string | undefined {
  const { [name]: id } = JSON.parse(row.arguments) as AssistantCall["arguments"];
  return typeof id === "string" ? id : undefined;
}
