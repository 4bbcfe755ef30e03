import { addToQueue, playNext } from "../player/player.ts";
import type { PlayerTrack } from "../player/queue.ts";
import { openPicker } from "../playlists/open.tsx";
import { go, listPlace } from "../router.ts";
import { openShare } from "../share/open.tsx";
import { openPapers, papersTitle } from "../share/papers.tsx";
import type { MenuItem } from "../ui/menu.tsx";
import { chooseVersion } from "../uploads/choose.tsx";
import { analyseAgain, deleteTracks, setVisible, these } from "./bulk.ts";
import { deliverTracks } from "./deliver.ts";
import { download } from "./download.ts";
import { asWanted, keepItems } from "./keep.ts";
import { openRename } from "./rename.tsx";

/** What a row knows of its track. */
export type MenuTrack = PlayerTrack & { visible: boolean };

/** Everything that can be done to a track in a list; `last` is before "Delete". */
export function trackMenu(track: MenuTrack, last: readonly MenuItem[] = []): MenuItem[] {
  return [
    { name: "Open", action: "open", run: () => openTrack(track, false) },
    ...soundItems(track),
    {
      name: "Add to playlist…",
      action: "addToPlaylist",
      need: "create:playlists",
      run: () => openPicker([track]),
    },
    { name: "More like this", isOfAll: true, run: () => go(`/library/search?like=${track.id}`) },
    null,
    { name: "Share…", action: "share", need: "create:shares", run: () => shareTracks([track]) },
    { name: "Deliver…", action: "deliver", need: "update:tracks", run: () => deliverTracks([track]) },
    { name: "New version…", need: "update:tracks", run: () => chooseVersion(track.id, track.title) },
    { name: "Rename", action: "rename", need: "update:tracks", run: () => openRename(track) },
    ...libraryItems(track),
    null,
    ...last,
    {
      name: "Delete",
      action: "remove",
      isDanger: true,
      need: "update:tracks",
      run: () => deleteTracks(these([track])),
    },
  ];
}

/** What the player does with a track. */
export const soundItems = (track: PlayerTrack): MenuItem[] => [
  { name: "Play next", action: "playNext", run: () => playNext([track]) },
  { name: "Add to queue", run: () => addToQueue([track]) },
];

/** What the library does with a track. */
export function libraryItems(track: Pick<MenuTrack, "id" | "title" | "visible">): MenuItem[] {
  const target = these([track]);
  return [
    {
      name: track.visible ? "Hide from library" : "Show in library",
      need: "update:tracks",
      run: () => setVisible(target, !track.visible),
    },
    { name: "Analyse again", need: "update:tracks", run: () => analyseAgain(target) },
    // Devices keep nothing that is hidden.
    ...(track.visible ? keepItems(asWanted([track])) : []),
    { name: "Download", need: "download:originals", run: () => download(target) },
    {
      name: "Papers…",
      need: "read:composers",
      run: () => openPapers({ ids: [track.id] }, papersTitle([track])),
    },
    { name: "Who leaked it?", need: "read:shares", run: () => go(`/library/leaks?track=${track.id}`) },
  ];
}

/** Opens a track beside its list, or as the whole screen. */
export function openTrack({ id }: { id: string }, isWhole: boolean): void {
  go(`/library/tracks/${id}`, isWhole ? {} : { beside: listPlace.peek().address });
}

/** Opens a track at its versions, beside its list. */
export function openVersions(trackId: string): void {
  go(`/library/tracks/${trackId}?tab=versions`, { beside: listPlace.peek().address });
}

/** Opens the dialog that makes links to tracks. */
export function shareTracks(tracks: readonly { id: string; title: string }[]): Promise<void> {
  return openShare(tracks.map(({ id, title }) => ({ entity: "track", id, title })));
}
