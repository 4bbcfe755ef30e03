import { save } from "../../../actions/download.ts";
import { hrefInside } from "../../../first-data.ts";
import { counted } from "../../../ui/numbers.ts";
import { textOf } from "../../../ui/text-file.ts";
import { toast } from "../../../ui/toast.tsx";
import type { Lyrics } from "../queries.ts";
import { writeLyrics } from "./desk.ts";

/** True for a file that has words: LRC, or plain text. */
export const isLyricsFile = ({ name }: File): boolean => /\.(lrc|txt)$/i.test(name);

/** Writes the words of a file, and its times, over those of a version. @throws ApiError */
export async function importLyrics(
  { trackId, versionId }: { trackId: string; versionId: string | undefined },
  file: File,
  before?: Lyrics,
): Promise<void> {
  const written = await writeLyrics(trackId, { lrc: await textOf(file), ...(versionId && { versionId }) });
  const timed = written.lines.filter(({ atMs }) => atMs !== null).length;
  const words = timed > 0 ? `${counted(timed, "line")} with times` : counted(written.lines.length, "line");
  const dropped = written.wordTimesDropped > 0 ? ". Times of single words are not kept" : "";
  toast(`Took ${words} from ${file.name}${dropped}`, {
    ...(before && { undo: () => writeLyrics(trackId, { lines: before.lines, versionId: before.versionId }) }),
  });
}

/** Saves the words of a version as a file. */
export function exportLyrics({ trackId, versionId }: Lyrics, format: "lrc" | "txt"): void {
  save(hrefInside(`/app/library/tracks/${trackId}/lyrics/file?format=${format}&versionId=${versionId}`));
}
