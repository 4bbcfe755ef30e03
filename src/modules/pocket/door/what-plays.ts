import { mayDo } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { isPlayedItself, listPlayable, type Playable } from "../../library/renditions/service.ts";
import type { Player } from "../players/service.ts";

/** The version of a song, as far as what is sent of it depends on that. */
type Sounding = { id: string; sha256: string; mediaType: string; sizeBytes: number };

/** What a player asks for with a stream. */
export type Wish = {
  /** `raw`, or the ending of a kind of file. */
  format?: string | undefined;
  /** In kbit/s. 0: no limit. */
  maxBitRate: number;
};

/** True when a player's person may have the original of a track: always, or because it is what everybody plays. */
export function mayHaveOriginal(deps: Pick<Deps, "db">, player: Player, song: { sha256: string }): boolean {
  return mayDo(player, "download:originals") || isPlayedItself(deps, song);
}

const OPUS_NAMES: readonly string[] = ["opus", "ogg", "oga"];

/**
 * Returns what a player gets of a song: the original where it was set up for originals or asks for one, else what has been made of it.
 * Nothing is made for a request. Undefined while there is nothing for whoever may not have the original.
 */
export function whatPlays(
  deps: Pick<Deps, "db" | "settings">,
  player: Player,
  song: Sounding,
  { format, maxBitRate }: Wish,
  durationSec: number | null,
): Playable | undefined {
  const original: Playable = { kind: "original", mediaType: song.mediaType, type: song.mediaType };
  const made = listPlayable(deps, song);
  const find = (kind: Playable["kind"]) => made.find((each) => each.kind === kind);
  const isOpen = mayHaveOriginal(deps, player, song);
  const isTooMuch = maxBitRate > 0 && kbitsOf(song.sizeBytes, durationSec) > maxBitRate;
  if (isOpen && (format === "raw" || (player.sound === "original" && !isTooMuch))) return original;
  const opus = format !== undefined && OPUS_NAMES.includes(format.toLowerCase()) ? find("opus") : undefined;
  const rendition = opus ?? find("aac") ?? find("opus");
  const isAsGood = song.mediaType === "audio/mpeg" && !isTooMuch;
  if (isOpen && (isAsGood || !rendition)) return original;
  return rendition;
}

/** Returns the average rate of a file in kbit/s; 0: not known. */
export function kbitsOf(sizeBytes: number, durationSec: number | null): number {
  return durationSec ? Math.round((sizeBytes * 8) / durationSec / 1000) : 0;
}
