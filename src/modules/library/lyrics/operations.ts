import { Type } from "@sinclair/typebox";
import { madeFileResponse } from "../../../http/files/pieces.ts";
import { op } from "../../../http/operation.ts";
import { lyricsFile } from "./file.ts";
import { getLyrics } from "./read.ts";
import { Lyrics, LyricsFileQuery, LyricsParams, LyricsQuery, WriteLyrics, WrittenLyrics } from "./shapes.ts";
import { writeLyrics } from "./write.ts";

const tag = "Tracks";

/** The words of tracks, and when they are sung. */
export const lyricsOperations = [
  op({
    at: "GET /tracks/:trackId/lyrics",
    id: "getLyrics",
    key: "read:tracks",
    rooms: true,
    input: { params: LyricsParams, query: LyricsQuery },
    tag,
    summary: "Get a track's words and when they are sung",
    description:
      "The words are those of the track (`lyrics`). Each version may have its own times: written by a person, read from its file, or " +
      "carried from another version that lines up with it.",
    answer: Lyrics,
    refusals: ["track_not_found", "version_not_found"],
    run: (deps, { actor, params, query }) =>
      getLyrics(deps.db, actor.accountId, params.trackId, query.versionId),
  }),
  op({
    at: "PUT /tracks/:trackId/lyrics",
    id: "writeLyrics",
    key: "update:tracks",
    input: { params: LyricsParams, body: WriteLyrics },
    tag,
    summary: "Write a track's words and when they are sung",
    description:
      "As words alone (`lyrics`), as the text of an LRC file (`lrc`), or line by line (`lines`). Words without times keep the times of " +
      "the lines that stay, also of those that were corrected. With `base`, 409 `changed_since` when they are no longer what the " +
      "editor began with: `data` has the `lyrics` now, and `by` whom and when (`at`) they were written.",
    answer: WrittenLyrics,
    refusals: ["track_not_found", "version_not_found", "changed_since"],
    run: (deps, { actor, params, body }) =>
      writeLyrics(deps, { ownerId: actor.accountId, trackId: params.trackId }, body),
  }),
  op({
    at: "GET /tracks/:trackId/lyrics/file",
    id: "exportLyrics",
    key: "read:tracks",
    rooms: true,
    input: { params: LyricsParams, query: LyricsFileQuery },
    tag,
    summary: "Export a track's words as a file",
    description: "LRC with the times that the version has, or plain text. Without words the file is empty.",
    answer: Type.String({ format: "binary" }),
    sends: { contentType: "text/plain", description: "The file" },
    refusals: ["track_not_found", "version_not_found"],
    run(deps, { actor, params, query }) {
      const file = lyricsFile(deps.db, actor.accountId, params.trackId, query);
      return madeFileResponse(file.body, file);
    },
  }),
];
