import { matchedGain } from "../../../../pages/playback/matched-gain.ts";
import { queryClient } from "../../api/queries.ts";
import { play } from "../../player/player.ts";
import { type Card, factsQuery, pathOf, type Row } from "../../playlists/types.ts";

/**
 * Plays a playlist or an album from one of its rows on. The songs of an album keep their loudness beside each other: it is
 * matched as a whole, as soon as it is known how loud that is.
 */
export async function playRows(card: Card, rows: readonly Row[], index: number): Promise<void> {
  const gain = card.kind === "album" ? await albumGain(card.id) : undefined;
  const tracks = gain === undefined ? rows : rows.map((row) => ({ ...row, albumGainDb: gain }));
  play({ tracks, index, source: { key: pathOf(card) } });
}

/** Undefined where the server does not say it: then each song is matched by itself. */
async function albumGain(playlistId: string): Promise<number | undefined> {
  const facts = await queryClient.ensureQueryData(factsQuery(playlistId)).catch(() => undefined);
  return facts && matchedGain(facts.data.loudness);
}
