import { can } from "../api/library.ts";
import { playNext } from "../player/player.ts";
import { openPicker } from "../playlists/open.tsx";
import { place } from "../router.ts";
import type { Runs } from "../ui/keys.ts";
import { deleteTracks, these } from "./bulk.ts";
import { deliverTracks } from "./deliver.ts";
import { openRename } from "./rename.tsx";
import type { Chosen } from "./selection-bar.tsx";
import { openTag } from "./tag.tsx";
import { type MenuTrack, openVersions, shareTracks } from "./track-menu.ts";

/**
 * What the keys for tracks do in a list: they are about the selection, or without one about the active row.
 *
 * @param active Returns the active row; undefined: there is none.
 */
export function trackRuns(chosen: Chosen, active: () => MenuTrack | undefined): Runs {
  const { count, clear, read } = chosen;
  const target = () => {
    const row = active();
    return count === 0 && row ? these([row]) : chosen.target();
  };
  const tracks = () => {
    const row = active();
    return count === 0 ? Promise.resolve(row ? [row] : []) : read();
  };
  const many = (run: (tracks: Awaited<ReturnType<typeof read>>) => unknown) => () => tracks().then(run);
  const one = (run: (track: MenuTrack) => unknown) => () => {
    const row = active();
    if (row) run(row);
  };
  const isAny = () => count > 0 || active() !== undefined;
  return {
    // A panel closes first.
    ...(count > 0 && place.value.beside === undefined && { close: clear }),
    share: many(shareTracks),
    addToPlaylist: many(openPicker),
    ...(can("update:tracks") && {
      deliver: many(deliverTracks),
      tag: () => isAny() && openTag(target()),
      rename: one(openRename),
      remove: () => isAny() && deleteTracks(target()).then((isDone) => isDone && clear()),
    }),
    versions: one(({ id }) => openVersions(id)),
    playNext: many((list) => list.length > 0 && playNext(list)),
  };
}
