export { lackingLyrics, lyricsToCarry, placeLyrics } from "./carry.ts";
export { lyricsFiles } from "./file.ts";
export { putLyricsOfFile } from "./of-file.ts";
export { copyTimed } from "./queries.ts";
export { lyricsOf, type TrackLyrics } from "./read.ts";
export { writeLyrics } from "./write.ts";
