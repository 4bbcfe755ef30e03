import { query } from "../api/queries.ts";
import type { Data } from "../api/routes.ts";

/** A playlist with its covers and length. */
export type Card = Data<"GET /app/playlists/{playlistId}">;
/** A track's place in a playlist. */
export type Row = Data<"GET /app/playlists/{playlistId}/tracks">[number];

/** What playlists and albums show; of one kind, or of both. */
export const cardsQuery = (kind?: Card["kind"]) =>
  query(
    "/app/playlists",
    { query: { ...(kind && { kind }), limit: 200 } },
    { playlists: "all", tracks: "all" },
  );

/** The console's address of a playlist or an album. */
export const pathOf = ({ id, kind }: Pick<Card, "id" | "kind">): string =>
  kind === "album" ? `/library/albums/${id}` : `/library/playlists/${id}`;

export const cardQuery = (playlistId: string) =>
  query("/app/playlists/{playlistId}", { path: { playlistId } }, { playlists: [playlistId], shares: "all" });

/** What the songs of an album add up to. */
export const factsQuery = (playlistId: string) =>
  query(
    "/app/playlists/{playlistId}/facts",
    { path: { playlistId } },
    { playlists: [playlistId], tracks: "all", versions: "all", analysis: "all" },
  );

export const rowsQuery = (playlistId: string) =>
  query(
    "/app/playlists/{playlistId}/tracks",
    { path: { playlistId } },
    { playlists: [playlistId], tracks: "all", versions: "all", analysis: "all" },
  );
