/** @jsxRuntime automatic @jsxImportSource preact */
import { hasScreens, href } from "../first-data.ts";
import type { PlayerTrack } from "./queue.ts";

type TrackLinkProps = { class: string; track: PlayerTrack; onClick?: () => void };

/** The title of a track, which leads to its screen where there is one. */
export function TrackLink({ track: { id, title }, ...rest }: TrackLinkProps) {
  if (!hasScreens) return <span class={rest.class}>{title}</span>;
  return (
    <a href={href(`/library/tracks/${id}`)} {...rest}>
      {title}
    </a>
  );
}
