/** @jsxRuntime automatic @jsxImportSource preact */
import { Cover } from "../../../pages/cover.tsx";
import { href } from "../first-data.ts";

/** A cover, or a drawn disc that is always the same for the same thing. `cover` is an address as the API gives it. */
export function CoverPicture({ seed, cover }: { seed: string; cover: string | null }) {
  // The policy allows nothing from another origin, and the API may have an address of its own.
  const src = cover === null ? undefined : cover.replace(/^.*?(?=\/artwork\/)/, href(""));
  return <Cover seed={seed} src={src} />;
}
