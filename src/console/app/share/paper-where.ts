/** Of which tracks papers are. */
export type PaperWhere = { ids: string[] } | { playlistId: string };
