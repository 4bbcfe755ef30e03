import { matchedGain } from "../../../../pages/playback/matched-gain.ts";
import { type AnswerOf, queryClient } from "../../api/queries.ts";
import { play } from "../../player/player.ts";
import { type Card, factsQuery, pathOf, type Row } from "../../playlists/types.ts";

/**
 * Plays a playlist or an album from one of its rows on. The songs of an album keep their loudness beside each other: it is
 * matched as a whole.
 */
export function playRows(card: Card, rows: readonly Row[], index: number): void {
  const gain = card.kind === "album" ? albumGain(card.id) : undefined;
  const tracks = gain === undefined ? rows : rows.map((row) => ({ ...row, albumGainDb: gain }));
  play({ tracks, index, source: { key: pathOf(card) } });
}

type Facts = AnswerOf<"/app/playlists/{playlistId}/facts">;

function albumGain(playlistId: string): number | undefined {
  const facts = queryClient.getQueryData<Facts>(factsQuery(playlistId).queryKey);
  return facts && matchedGain(facts.data.loudness);
}
