/** @jsxRuntime automatic @jsxImportSource preact */
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import type { Card } from "../../playlists/types.ts";
import { CoverEdit } from "../../ui/cover-edit.tsx";
import { dataUriOf, readPicture } from "../../ui/data-uri.ts";
import { toast } from "../../ui/toast.tsx";
import { Covers } from "./covers.tsx";

/** The cover of a playlist or an album, and the button that chooses another. */
export function PlaylistCover({ card, isFixed }: { card: Card; isFixed: boolean }) {
  if (isFixed) return <Covers {...card} />;
  return (
    <CoverEdit label="Cover" take={([picture = null]) => setCover(card, picture, "Cover changed")}>
      <Covers {...card} />
    </CoverEdit>
  );
}

/** Takes the picture away, which "Undo" sets again. */
export const removeCover = (card: Card): Promise<void> => setCover(card, null, "Cover removed");

async function setCover(card: Card, picture: Blob | null, done: string): Promise<void> {
  const before = card.image === null ? null : await readPicture(card.image);
  await write(card.id, picture);
  toast(done, { undo: () => write(card.id, before) });
}

async function write(playlistId: string, picture: Blob | null): Promise<void> {
  const image = picture && (await dataUriOf(picture));
  const params = { path: { playlistId } };
  await dataOf(api.PATCH("/app/library/playlists/{playlistId}", { params, body: { image } }));
  changed("playlists", [playlistId]);
}
