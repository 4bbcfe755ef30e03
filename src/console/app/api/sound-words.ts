import { ApiError, sentenceOf } from "./errors.ts";

/** What to do about a refusal, by its code. */
const WORDS: Readonly<Record<string, string>> = {
  file_too_large: "This file is larger than 200 MB. Choose a smaller one, such as an MP3 of it.",
  invalid_file_type: "This is not a sound that Dubplate can read. Choose an audio file.",
  url_not_allowed:
    "This address cannot be used. It must be one that anyone can open, and begin with https://.",
  download_failed: "No sound could be loaded from this address.",
  request_timeout: "Listening took too long. Try again, or choose a shorter file.",
  rate_limit_exceeded: "Other files are being listened to. Try again in a moment.",
  track_not_found: "This track is no longer in your library.",
};

/** Returns a sentence for the refusal of a sound that was sent to be looked at. */
export function soundSentence(error: unknown): string {
  const code = error instanceof ApiError ? (error.status === 413 ? "file_too_large" : error.code) : "";
  return WORDS[code] ?? sentenceOf(error);
}
