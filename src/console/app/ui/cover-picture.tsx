/** @jsxRuntime automatic @jsxImportSource preact */
import { Cover, RowCover } from "../../../pages/cover.tsx";
import { samePlace } from "../first-data.ts";

/** A cover, or a drawn disc that is always the same for the same thing. `cover` is an address as the API gives it. */
export function CoverPicture({ seed, cover }: { seed: string; cover: string | null }) {
  return <Cover seed={seed} src={cover === null ? undefined : samePlace(cover)} />;
}

/** {@link CoverPicture} in the row of a long list. */
export function RowPicture({ seed, cover }: { seed: string; cover: string | null }) {
  return <RowCover seed={seed} src={cover === null ? undefined : samePlace(cover)} />;
}
