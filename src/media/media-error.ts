/** Why a file could not be read as audio. A closed list: callers switch over it. */
export type MediaErrorCode =
  | "needs_ffmpeg"
  | "corrupt"
  | "no_audio"
  | "too_long"
  | "timeout"
  | "out_of_memory"
  | "unsupported";

const SENTENCES: Readonly<Record<MediaErrorCode, string>> = {
  needs_ffmpeg:
    "This format needs ffmpeg on the server. Install ffmpeg, or upload WAV, AIFF, FLAC, MP3 or Ogg.",
  corrupt: "This file is damaged or incomplete. Export it again from your project and upload the new file.",
  no_audio:
    "There is no audio in this file. Check that the export contains sound and is not a video or a project file.",
  too_long: "This file is longer than the server accepts. Split it into shorter parts and upload those.",
  timeout: "Reading this file took too long and was stopped. Try again, or export it as WAV or FLAC.",
  out_of_memory:
    "Reading this file needed too much memory and was stopped. Export it as a stereo WAV or FLAC file.",
  unsupported: "This kind of audio cannot be read here. Export it as WAV, AIFF, FLAC, MP3 or Ogg.",
};

/**
 * A file that cannot be decoded or probed, with a sentence that its owner can act on. The decoder's own message is
 * in `cause`, which is only for logs: it quotes the file.
 */
export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, cause?: unknown) {
    super(SENTENCES[code], cause === undefined ? undefined : { cause });
    this.name = "MediaError";
    this.code = code;
  }
}

/** True when `text` is a {@link MediaErrorCode}. Codes pass between processes as plain text. */
export function isMediaErrorCode(text: unknown): text is MediaErrorCode {
  return typeof text === "string" && Object.hasOwn(SENTENCES, text);
}
