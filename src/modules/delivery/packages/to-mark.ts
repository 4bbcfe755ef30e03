import type { Deps } from "../../../kernel/deps.ts";
import { invalidField } from "../../../kernel/errors.ts";
import { withoutExtension } from "../../../kernel/safe-names.ts";
import { hasMarkedDownload } from "../../sharing/marks/service.ts";
import type { Song } from "./known.ts";
import { type DeliveryRequest, MARKED_PROFILES } from "./shapes.ts";

/**
 * Returns whether a package tells whose copy it is. Stores and plants get masters as they are.
 *
 * @throws DomainError `validation_failed` for marks that cannot be made.
 */
export function isToBeMarked(
  { ffmpegPath }: Pick<Deps, "ffmpegPath">,
  { profile, recipient, isMarked }: Pick<DeliveryRequest, "profile" | "recipient" | "isMarked">,
): boolean {
  const isForStore = !MARKED_PROFILES.includes(profile);
  const isForSomebody = (recipient?.trim() ?? "") !== "";
  if (isMarked !== true)
    return isMarked !== false && !isForStore && isForSomebody && ffmpegPath !== undefined;
  if (isForStore)
    throw invalidField("isMarked", "clean_masters", "is not for stores and plants: they get masters");
  if (!isForSomebody) throw invalidField("isMarked", "no_recipient", "needs a recipient");
  if (ffmpegPath !== undefined) return true;
  throw invalidField("isMarked", "no_ffmpeg", "needs ffmpeg on the server, which encodes the copies");
}

/** Returns a song as its copy will be called: what is not WAV, FLAC or AIFF goes as it is heard. */
export const namedAsCopy = (song: Song): Song =>
  hasMarkedDownload(song)
    ? song
    : {
        ...song,
        fileName: `${withoutExtension(song.fileName)}.m4a`,
        mediaType: "audio/mp4",
        container: "mp4",
        codec: "aac",
        sampleRateHz: null,
        bitDepth: null,
      };
