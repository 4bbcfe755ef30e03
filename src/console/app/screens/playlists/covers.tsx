/** @jsxRuntime automatic @jsxImportSource preact */
import type { Card } from "../../playlists/types.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { counted } from "../../ui/numbers.ts";

/** The picture of a playlist or an album; without one four covers of its tracks, or one where there are fewer than four. */
export function Covers({ id, image, covers }: Pick<Card, "id" | "image" | "covers">) {
  if (image !== null)
    return (
      <div class="covers covers-1" aria-hidden="true">
        <CoverPicture seed={id} cover={image} />
      </div>
    );
  const shown = covers.length === 4 ? covers : covers.slice(0, 1);
  return (
    <div class={`covers covers-${shown.length}`} aria-hidden="true">
      {shown.length === 0 && <CoverPicture seed={id} cover={null} />}
      {shown.map(({ trackId, cover }) => (
        <CoverPicture key={trackId} seed={trackId} cover={cover} />
      ))}
    </div>
  );
}

/** Returns a number of tracks in words. */
export const countOf = (tracks: number): string => (tracks === 0 ? "No tracks" : counted(tracks, "track"));
