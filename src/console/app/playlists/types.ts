import { query } from "../api/queries.ts";
import type { paths } from "../api/types.ts";

type Answer<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": { data: infer Data } } } } };
}
  ? Data
  : never;

/** A playlist with its covers and length. */
export type Card = Answer<"/app/playlists/{playlistId}">;
/** A track's place in a playlist. */
export type Row = Answer<"/app/playlists/{playlistId}/tracks">[number];

/** The answers that playlists show. */
export const CARDS_URL = "/app/playlists?limit=200";
export const CARDS_DEPEND = { playlists: "all", tracks: "all" } as const;

export const cardQuery = (playlistId: string) =>
  query("/app/playlists/{playlistId}", { path: { playlistId } }, { playlists: [playlistId], shares: "all" });

export const rowsQuery = (playlistId: string) =>
  query(
    "/app/playlists/{playlistId}/tracks",
    { path: { playlistId } },
    { playlists: [playlistId], tracks: "all", versions: "all", analysis: "all" },
  );
