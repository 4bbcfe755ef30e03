import { save } from "../../../actions/download.ts";
import { hrefInside } from "../../../first-data.ts";
import { counted } from "../../../ui/numbers.ts";
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

/** Old LRC files are in the letters of their makers' system. Those of Windows are the most common. */
async function textOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** Saves the words of a version as a file. */
export function exportLyrics({ trackId, versionId }: Lyrics, format: "lrc" | "txt"): void {
  save(hrefInside(`/app/library/tracks/${trackId}/lyrics/file?format=${format}&versionId=${versionId}`));
}
