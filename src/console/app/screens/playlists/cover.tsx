/** @jsxRuntime automatic @jsxImportSource preact */
import { useRef } from "preact/hooks";
import { api, dataOf } from "../../api/client.ts";
import { changed } from "../../api/queries.ts";
import type { Card } from "../../playlists/types.ts";
import { dataUriOf, PICTURES, readPicture } from "../../ui/data-uri.ts";
import { FileInput } from "../../ui/file-input.tsx";
import { Icon } from "../../ui/icon.tsx";
import { toast } from "../../ui/toast.tsx";
import { Covers } from "./covers.tsx";

/** The cover of a playlist or an album, and the button that chooses another. */
export function PlaylistCover({ card }: { card: Card }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div class="playlist-cover">
      <Covers {...card} />
      <button
        type="button"
        class="playlist-cover-button"
        aria-label="Change cover"
        onClick={() => picker.current?.click()}
      >
        <Icon name="edit" />
      </button>
      <FileInput
        label="Cover"
        inputRef={picker}
        accept={PICTURES}
        take={([picture = null]) => setCover(card, picture, "Cover changed")}
      />
    </div>
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
