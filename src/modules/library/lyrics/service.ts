export { type CarriedLyrics, lackingLyrics, lyricsToCarry, placeLyrics } from "./carry.ts";
export { type DeliveredLyrics, lyricsFiles } from "./file.ts";
export { putLyricsOfFile } from "./of-file.ts";
export { lyricsOf, type TrackLyrics } from "./read.ts";
