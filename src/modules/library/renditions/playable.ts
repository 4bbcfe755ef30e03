import { acceptQuality } from "../../../kernel/accept.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { ENCODED_MEDIA_TYPES, ENCODINGS, type Encoding } from "../../../media/encoder.ts";
import { isThere, renditionPath } from "./files.ts";
import * as queries from "./queries.ts";

/** A file played instead of an original. Keep `madeAt` private, because other accounts may share the file. */
type Rendition = { kind: Encoding; path: string; mediaType: string; sizeBytes: number; madeAt: number };

/** Something to play for an original; `type` is its media type for the browser. */
export type Playable = ({ kind: "original"; mediaType: string } | Rendition) & { type: string };

/** What a row says of something to play. */
export type Recorded = { kind: "original"; mediaType: string } | Omit<Rendition, "path">;

type Original = { sha256: string; mediaType: string };

/** iPhones request media with this user agent and accept any type, but they play Ogg only since iOS 18.4. */
const APPLE_PLAYER = /\bAppleCoreMedia\//;
const APPLE_OGG_QUALITY = 0.5;

/**
 * Returns what can be played for an original, best first: a browser takes the first that it can play. Never empty. It
 * includes the original when that is small Ogg, when it is MP3 and there is no AAC, or when there is nothing else.
 */
export function listPlayable(
  deps: Pick<Deps, "db" | "settings">,
  original: Original,
  rows: readonly queries.RenditionRow[] = queries.listRowsOf(deps.db, original.sha256),
): [Playable, ...Playable[]] {
  const { mediaType } = original;
  const made = ENCODINGS.map((encoding) => renditionOf(deps, rows, encoding));
  return bestFirst<Playable>({ kind: "original", mediaType, type: mediaType }, made);
}

/** Returns what {@link listPlayable} does if the files of all rows are there. No file is looked at. */
export function listRecorded(
  { mediaType }: Original,
  rows: readonly queries.RenditionRow[],
): [Recorded, ...Recorded[]] {
  const made = ENCODINGS.map((kind): Recorded | undefined => {
    const row = rows.find(({ encoding }) => encoding === kind);
    if (!row) return undefined;
    return { kind, mediaType: ENCODED_MEDIA_TYPES[kind], sizeBytes: row.sizeBytes, madeAt: row.createdAt };
  });
  return bestFirst<Recorded>({ kind: "original", mediaType }, made);
}

function bestFirst<Each extends { mediaType: string }>(
  itself: Each,
  [opus, aac]: readonly (Each | undefined)[],
): [Each, ...Each[]] {
  const { mediaType } = itself;
  const isOgg = mediaType === ENCODED_MEDIA_TYPES.opus;
  const first = opus ?? (isOgg || !aac ? itself : aac);
  if (aac && aac !== first) return [first, aac];
  return opus && mediaType === "audio/mpeg" ? [opus, itself] : [first];
}

const TYPES: Readonly<Record<Encoding, string>> = { opus: "audio/ogg; codecs=opus", aac: "audio/mp4" };

function renditionOf(
  { settings }: Pick<Deps, "settings">,
  rows: readonly queries.RenditionRow[],
  kind: Encoding,
): Playable | undefined {
  const row = rows.find(({ encoding }) => encoding === kind);
  if (!row || !isThere(settings, row, row.sizeBytes)) return undefined;
  const { sizeBytes, createdAt: madeAt } = row;
  return playableOf(kind, { path: renditionPath(settings, row), sizeBytes, madeAt });
}

/** Returns an encoded file as something to play. */
export function playableOf(
  kind: Encoding,
  { path, sizeBytes, madeAt }: Pick<Rendition, "path" | "sizeBytes" | "madeAt">,
): Rendition & Playable {
  return { kind, path, mediaType: ENCODED_MEDIA_TYPES[kind], type: TYPES[kind], sizeBytes, madeAt };
}

/**
 * Returns what to send to a client: the kind in the address's `as`, which a page wrote; otherwise what the Accept
 * header prefers; otherwise the first.
 */
export function choosePlayable(
  playable: readonly [Playable, ...Playable[]],
  { url, headers }: Request,
): Playable {
  const named = new URL(url).searchParams.get("as");
  const found = playable.find(({ kind }) => kind === named);
  if (found) return found;
  const isApple = APPLE_PLAYER.test(headers.get("user-agent") ?? "");
  const qualityOf = ({ mediaType }: Playable) =>
    acceptQuality(headers.get("accept"), mediaType) *
    (isApple && mediaType === "audio/ogg" ? APPLE_OGG_QUALITY : 1);
  return playable.reduce((best, next) => (qualityOf(next) > qualityOf(best) ? next : best));
}
