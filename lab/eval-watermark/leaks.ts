/** How a copy leaks: cut, then coded, some twice. */
export type Leak = {
  name: string;
  seconds: number;
  codings: readonly (readonly string[])[];
  /** Share of pieces in which the recipient must be named; both recipients where two copies are mixed. Null: only looked at. */
  demanded: number | null;
  isMixed?: boolean;
  /** The same, read without the original. */
  blind?: { demanded: number | null };
};

const mp3 = (kbps: number) => ["-b:a", `${kbps}k`, "-f", "mp3"];
const aac = ["-c:a", "aac", "-b:a", "128k", "-f", "adts"];
const opus = (kbps: number) => ["-c:a", "libopus", "-b:a", `${kbps}k`, "-f", "ogg"];
const filtered = (filter: string, coding: readonly string[]) => ["-af", filter, ...coding];
/** Played faster, as a whole: pitch and tempo. */
const atSpeed = (speed: number, coding: readonly string[]) =>
  filtered(`aresample=44100,asetrate=${44_100 * speed},aresample=48000`, coding);

export const LEAKS: readonly Leak[] = [
  { name: "MP3 128, 30 s", seconds: 30, codings: [mp3(128)], demanded: 0.99, blind: { demanded: 0.6 } },
  { name: "AAC 128, 30 s", seconds: 30, codings: [aac], demanded: 0.99 },
  { name: "Opus 96, 30 s", seconds: 30, codings: [opus(96)], demanded: 0.99, blind: { demanded: null } },
  {
    name: "48 kHz, -7 dB, MP3 128, 30 s",
    seconds: 30,
    codings: [filtered("aresample=48000,volume=-7dB", mp3(128))],
    demanded: 0.99,
  },
  { name: "speed +0.1 %, AAC 128, 30 s", seconds: 30, codings: [atSpeed(1.001, aac)], demanded: 0.99 },
  { name: "speed -0.1 %, Opus 96, 30 s", seconds: 30, codings: [atSpeed(0.999, opus(96))], demanded: 0.99 },
  { name: "Opus 128, then MP3 128, 30 s", seconds: 30, codings: [opus(128), mp3(128)], demanded: 0.99 },
  { name: "mono, Opus 64, 30 s", seconds: 30, codings: [["-ac", "1", ...opus(64)]], demanded: 0.95 },
  { name: "MP3 64, 30 s", seconds: 30, codings: [mp3(64)], demanded: 0.95 },
  {
    name: "two copies mixed, MP3 128, 30 s",
    seconds: 30,
    codings: [mp3(128)],
    demanded: 0.95,
    isMixed: true,
  },
  { name: "Opus 96, 15 s", seconds: 15, codings: [opus(96)], demanded: 0.97 },
  { name: "Opus 96, 8 s", seconds: 8, codings: [opus(96)], demanded: null },
  {
    name: "equaliser, limiter, MP3 128, 30 s",
    seconds: 30,
    codings: [filtered("bass=g=4,treble=g=-4,volume=4dB,alimiter=limit=0.9", mp3(128))],
    demanded: null,
  },
  {
    name: "speaker in a room, Opus 64, 30 s",
    seconds: 30,
    codings: [filtered("highpass=f=180,lowpass=f=8000,aecho=0.8:0.5:17|31|47:0.35|0.25|0.18", opus(64))],
    demanded: null,
  },
];
