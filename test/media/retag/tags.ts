import type { Tags } from "../../../src/media/retag/tags.ts";

/** A JPEG of one pixel. */
export const COVER = Buffer.from(
  "/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AVN//2Q==",
  "base64",
);

/** Every field, in several alphabets. */
export const TAGS = {
  title: "Ночная поездка 夜のドライブ",
  artists: ["Zoë Ärger", "Мария"],
  album: "Night Album",
  albumArtists: ["Various", "Others"],
  place: { number: 3, of: 12 },
  disc: { number: 1, of: 2 },
  date: "2026-03-27",
  genres: ["House", "Techno"],
  label: "Night Label",
  barcode: "0123456789012",
  isrc: "DE-A23-13-00001",
  iswc: "T-345.246.800-1",
  composers: ["Ben Müller", "Ana"],
  lyricists: ["Lou", "Kim"],
  publishers: ["North Songs", "South Songs"],
  cLine: "2026 Night Label",
  pLine: "2026 Night Masters",
  bpm: 128,
  key: "F# minor",
  language: "de",
  lyrics: "Erste Zeile\nZweite Zeile, größer",
  timedLyrics: [
    { atSec: 0.25, text: "Erste Zeile" },
    { atSec: 0.5, text: "Zweite Zeile, größer" },
  ],
  explicit: "yes",
  kind: "Instrumental",
  cover: { mediaType: "image/jpeg", bytes: COVER },
  aiUse: ["vocals: generated (Voice 2)", "mix: assisted"],
  loudness: {
    integratedLufs: -14.23,
    rangeLu: 6.5,
    truePeakDbtp: -1.02,
    momentaryMaxLufs: -10.1,
    shortTermMaxLufs: null,
  },
  project: "Night & <Day>",
  note: "For the trailer",
} as const satisfies Tags;
