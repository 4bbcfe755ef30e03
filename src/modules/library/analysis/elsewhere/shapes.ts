import { type Static, Type } from "@sinclair/typebox";
import { nullable, shape } from "../../../../http/envelope.ts";
import { MAX_LYRIC_LINES, MAX_LYRIC_MS, MAX_LYRICS } from "../../../../kernel/limits.ts";
import { METRES, SECTION_KINDS } from "../../../../kernel/structures.ts";

/** Most bytes of a result: a picture of 15 MB in base64, and the measurements. */
export const MAX_RESULT_BYTES = 24 * 1024 * 1024;
/** Most bytes of every other body. */
export const MAX_WISH_BYTES = 16 * 1024;

const MAX_PICTURE_CHARACTERS = 20 * 1024 * 1024;

const closed = { additionalProperties: false } as const;
const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const between = (minimum: number, maximum: number) => Type.Number({ minimum, maximum });
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum });
const base64 = (maxLength: number, description: string) =>
  Type.String({ maxLength, contentEncoding: "base64", description });
const Share = between(0, 1);
const Seconds = between(0, 30_000);
/** More than ten hours of the fastest music have. */
const MAX_BARS = 200_000;
const Decibels = nullable(between(-400, 400));

const Version = Type.String({
  maxLength: 200,
  description: "What the worker measures with: versions of the program, of its measurements and of its ears",
});

/** Body of `POST /platform/work/claim`. */
export const ClaimWish = shape("WorkClaim", {
  version: Version,
  ffmpeg: Type.Boolean({ description: "Whether the worker has ffmpeg" }),
  waitSec: Type.Optional(
    Type.Number({ minimum: 0, maximum: 10, description: "How long to wait for a job, 0 by default" }),
  ),
});
export type ClaimWish = Static<typeof ClaimWish>;

/** Payload of `POST /platform/work/claim`. */
export const Claimed = shape("WorkClaimed", {
  job: nullable(
    Type.Object({
      id: Type.String(),
      token: Type.String({ description: "To be sent as `X-Job-Token` with every request about this job" }),
      kind: Type.Union([Type.Literal("analyze"), Type.Literal("listen")]),
      sha256: Type.String({ description: "Of the audio file, hexadecimal" }),
      sizeBytes: Type.Integer({ minimum: 0, description: "Of the audio file" }),
      ffmpeg: Type.Boolean({ description: "Whether to decode with ffmpeg, as the server does" }),
      leaseSec: Type.Integer({
        minimum: 1,
        description: "For how long the job is the worker's, unless renewed",
      }),
    }),
  ),
});
export type Claimed = Static<typeof Claimed>;

/** Payload of `POST /platform/work/jobs/{id}/renew`. */
export const Renewed = shape("WorkRenewed", {
  leaseSec: Type.Integer({ minimum: 1, description: "For how long the job is the worker's from now on" }),
});

/** Body of `POST /platform/work/jobs/{id}/release`. */
export const Release = shape("WorkRelease", {
  error: Type.Optional(
    Type.String({
      maxLength: 1000,
      description:
        "Why the job failed; the attempt counts. Left out: the worker stops, and it does not count",
    }),
  ),
});

/** Payload of the requests that end a job. */
export const Ended = shape("Done", { ok: Type.Literal(true) });

const Tags = Type.Object(
  {
    title: text(500),
    artist: text(500),
    album: text(500),
    albumArtist: text(500),
    composer: text(500),
    year: Type.Optional(between(1000, 9999)),
    isrc: text(500),
    key: text(500),
    bpm: Type.Optional(between(1, 999)),
    genres: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 20 })),
    trackNumber: Type.Optional(between(1, 9999)),
    discNumber: Type.Optional(between(1, 9999)),
    totalTracks: Type.Optional(between(1, 9999)),
    totalDiscs: Type.Optional(between(1, 9999)),
    lyrics: text(MAX_LYRICS),
    timedLyrics: Type.Optional(
      Type.Array(
        Type.Object(
          { text: Type.String({ maxLength: MAX_LYRICS }), atMs: nullable(whole(0, MAX_LYRIC_MS)) },
          closed,
        ),
        { maxItems: MAX_LYRIC_LINES },
      ),
    ),
    comment: text(5000),
  },
  closed,
);

const Info = Type.Object(
  {
    codec: nullable(Type.String({ maxLength: 100 })),
    lossless: nullable(Type.Boolean()),
    sampleRateHz: nullable(between(0, 1e9)),
    channels: nullable(between(0, 1000)),
    bitDepth: nullable(between(0, 1000)),
    bitrateBps: nullable(between(0, 1e12)),
    declaredDurationSec: nullable(between(0, 1e9)),
    tags: Tags,
  },
  closed,
);

const Measured = Type.Object(
  {
    durationSec: between(0, 30_000),
    sampleRateHz: whole(1000, 768_000),
    channels: whole(1, 64),
    loudness: Type.Object(
      {
        integratedLufs: Decibels,
        rangeLu: Decibels,
        momentaryMaxLufs: Decibels,
        shortTermMaxLufs: Decibels,
        truePeakDbtp: Decibels,
        samplePeakDbfs: Decibels,
      },
      closed,
    ),
    tempo: Type.Object(
      {
        bpm: nullable(between(30, 300)),
        confidence: Share,
        candidates: Type.Array(Type.Object({ bpm: between(30, 300), confidence: Share }, closed), {
          maxItems: 3,
        }),
      },
      closed,
    ),
    structure: Type.Object(
      {
        alternativeBpm: nullable(between(1, 1000)),
        metre: nullable(Type.Union(METRES.map((metre) => Type.Literal(metre)))),
        metreConfidence: Share,
        downbeats: Type.Array(Seconds, { maxItems: MAX_BARS }),
        swing: nullable(Share),
        sections: Type.Array(
          Type.Object(
            {
              kind: Type.Union(SECTION_KINDS.map((kind) => Type.Literal(kind))),
              startSec: Seconds,
              endSec: Seconds,
              levelDb: between(-400, 400),
            },
            closed,
          ),
          { maxItems: MAX_BARS },
        ),
      },
      closed,
    ),
    key: Type.Object(
      {
        name: nullable(Type.String({ pattern: "^[A-G][#b]? (major|minor)$" })),
        confidence: Share,
        tuningCents: nullable(between(-50, 50)),
      },
      closed,
    ),
    faults: Type.Object(
      {
        truePeakAtSec: Seconds,
        isSilent: Type.Boolean(),
        headSec: Seconds,
        tailSec: Seconds,
        lastSoundSec: Seconds,
        startsInSound: Type.Boolean(),
        endsInSound: Type.Boolean(),
        clipRuns: whole(0, 2 ** 40),
        clipRunsPerSec: between(0, 1e8),
        longestClipRun: whole(0, 2 ** 40),
        clipAtSec: nullable(Seconds),
        dcOffset: between(0, 1000),
        dropoutMs: between(0, 1000),
        dropoutAtSec: nullable(Seconds),
        correlation: nullable(between(-1.001, 1.001)),
        lowestCorrelation: nullable(between(-1.001, 1.001)),
        lowestCorrelationAtSec: nullable(Seconds),
        monoLossDb: Decibels,
        balanceDb: Decibels,
        isDualMono: Type.Boolean(),
        usedBits: nullable(whole(1, 24)),
      },
      closed,
    ),
    features: Type.Record(Type.String({ maxLength: 40 }), between(-1e6, 1e6), { maxProperties: 64 }),
    isTruncated: Type.Boolean(),
    waveform: base64(4000, "1000 pairs of minimum and maximum, int8"),
    descriptors: nullable(base64(1000, "float32; null for silence")),
    heard: nullable(base64(1000, "float32; null for silence and short sounds")),
    passages: base64(110_000, "80 numbers, int8, for every ten seconds"),
    recording: Type.Object(
      {
        pcmSha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
        codes: base64(100_000, "uint32"),
        columns: base64(100_000, "bytes"),
        levels: base64(100_000, "deflated bytes"),
        balanceDb: Type.Array(Decibels, { maxItems: 10 }),
        framesPerPair: whole(1, 2 ** 31),
        peaks: base64(120_000, "deflated pairs, int8"),
      },
      closed,
    ),
  },
  closed,
);
export type Measured = Static<typeof Measured>;

/** Body of `POST /platform/work/jobs/{id}/result`: of an analysis, or of listening again. */
export const WorkResult = shape("WorkResult", {
  version: Version,
  info: Type.Optional(nullable(Info)),
  artwork: Type.Optional(base64(MAX_PICTURE_CHARACTERS, "The picture in the file, unchanged")),
  measurement: Type.Optional(Measured),
  heard: Type.Optional(nullable(base64(1000, "What was heard again, float32"))),
  failure: Type.Optional(
    Type.Union(
      (
        [
          "needs_ffmpeg",
          "corrupt",
          "no_audio",
          "too_long",
          "timeout",
          "out_of_memory",
          "unsupported",
        ] as const
      ).map((code) => Type.Literal(code)),
      { description: "Why the file cannot be read; final" },
    ),
  ),
});
export type WorkResult = Static<typeof WorkResult>;
