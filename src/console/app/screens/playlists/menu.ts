import { deliver } from "../../actions/deliver.ts";
import { download } from "../../actions/download.ts";
import { keepItems } from "../../actions/keep.ts";
import { api, dataOf } from "../../api/client.ts";
import { canChange, canPin } from "../../api/library.ts";
import { changed, optimistically } from "../../api/queries.ts";
import { addToQueue, playNext } from "../../player/player.ts";
import { type Card, cardQuery, type Row } from "../../playlists/types.ts";
import { openPapers } from "../../share/papers.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { openAlbumDetails } from "./album.tsx";
import { openCast } from "./cast.tsx";
import { removeCover } from "./cover.tsx";
import { deletePlaylist } from "./delete.ts";
import { saveList } from "./facts.ts";
import { save } from "./save.ts";

/** What else can be done with a playlist or an album. */
export function menuOf(card: Card, rows: readonly Row[]): MenuItem[] {
  const isDisabled = rows.length === 0;
  const where = { ids: [...new Set(rows.map(({ id }) => id))] };
  const isOurs = canChange(card);
  return [
    { name: "Play next", isDisabled, run: () => playNext(rows) },
    { name: "Add to queue", isDisabled, run: () => addToQueue(rows) },
    ...keepItems([{ entity: "playlist", id: card.id, name: card.name }]),
    null,
    ...(isOurs ? changesOf(card) : []),
    ...(canPin() ? [{ name: card.isPinned ? "Unpin" : "Pin", run: () => pin(card) }] : []),
    { name: "Download list", isDisabled, run: () => saveList(card.name, rows) },
    {
      name: "Download tracks",
      isDisabled,
      need: "download:originals",
      isOfAll: true,
      run: () => download({ where, count: where.ids.length }, card.name),
    },
    {
      name: "Deliver…",
      isDisabled,
      need: "update:tracks",
      run: () => deliver({ playlistId: card.id }),
    },
    {
      name: "Papers…",
      isDisabled,
      need: "read:composers",
      isOfAll: true,
      run: () => openPapers({ playlistId: card.id }, card.name),
    },
    { name: "People in this room…", need: "manage:team", run: () => openCast(card) },
    null,
    ...(isOurs ? [{ name: `Delete ${card.kind}`, isDanger: true, run: () => deletePlaylist(card) }] : []),
  ];
}

/** What can be made of it. */
const changesOf = (card: Card): MenuItem[] => [
  card.kind === "album"
    ? { name: "Edit album details…", run: () => openAlbumDetails(card) }
    : { name: "Make it an album", run: () => makeAlbum(card) },
  ...(card.image === null ? [] : [{ name: "Remove cover", run: () => removeCover(card) }]),
  { name: "Everyone may change it", isOn: card.collaborative, run: () => open(card, !card.collaborative) },
];

/** Lets every member who makes playlists change it, or its maker and those who change all of them. */
async function open(card: Card, collaborative: boolean): Promise<void> {
  await save(card, { collaborative });
  toast(collaborative ? "Everyone may change it" : "Not everyone may change it any more");
}

/** So many tracks say what a list sounds like; they are taken from all over it. */
const MAX_SEEDS = 12;

/** The search for tracks that sound like those of a list. */
export function likeThese(rows: readonly Row[]): string {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const step = Math.max(1, ids.length / MAX_SEEDS);
  const seeds = Array.from(
    { length: Math.min(MAX_SEEDS, ids.length) },
    (_, at) => ids[Math.floor(at * step)],
  );
  return `/library/search?${new URLSearchParams({ like: seeds.join(",") })}`;
}

/** Pins a playlist to the front of the others, or lets it go; shown at once. */
async function pin({ id, isPinned }: Card): Promise<void> {
  const params = { path: { playlistId: id } };
  try {
    await optimistically(
      cardQuery(id),
      (answer) => ({ ...answer, data: { ...answer.data, isPinned: !isPinned } }),
      () =>
        dataOf(
          isPinned
            ? api.DELETE("/app/playlists/{playlistId}/pin", { params })
            : api.PUT("/app/playlists/{playlistId}/pin", { params }),
        ),
    );
    toast(isPinned ? "Unpinned" : "Pinned");
  } finally {
    changed("playlists", null);
  }
}

/** Makes a playlist an album, which "Undo" makes a playlist again. */
async function makeAlbum(card: Card): Promise<void> {
  await save(card, { kind: "album" });
  toast(`${card.name} is an album`, { undo: () => save(card, { kind: "playlist" }) });
}
