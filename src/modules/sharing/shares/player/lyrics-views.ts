import type { PlayerLyrics } from "../../../../pages/player/model.ts";
import type { TrackLyrics } from "../../../library/lyrics/service.ts";

/** Stands where a line only has a time: the singing pauses. */
const PAUSE = "♪";

/** Returns words in stanzas, as pages show them. */
export function toPlayerLyrics({ lines }: TrackLyrics): PlayerLyrics {
  const stanzas: PlayerLyrics["stanzas"] = [];
  let isOpen = false;
  for (const { text, atMs } of lines) {
    const isBlank = text.trim() === "";
    const atSec = atMs === null ? undefined : atMs / 1000;
    if (!isOpen || isBlank) stanzas.push([]);
    isOpen = !isBlank;
    if (!isBlank || atSec !== undefined) stanzas.at(-1)?.push({ text: isBlank ? PAUSE : text, atSec });
  }
  return { stanzas: stanzas.filter((each) => each.length > 0) };
}
