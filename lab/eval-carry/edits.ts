/** What a musician does to a mix, as filters of ffmpeg, and where each moment went. */
export type Edit = {
  name: string;
  /** From `[0]`, and from `[1]`, another piece, to `[o]`; of `length` seconds. */
  filter: (lengthSec: number) => string;
  /** Where a moment went; undefined: it was cut. */
  where: (sec: number, lengthSec: number) => number | undefined;
  /** Moments beside which nothing is promised. */
  edges?: readonly number[];
  /** How it is stored; otherwise as 24-bit WAV. */
  codec?: { ending: string; options: readonly string[] };
  rateHz?: number;
  channels?: number;
  /** Where each moment went is read from the output: `where` would be off by what the filter makes of the music. */
  isTraced?: true;
};

const MP3 = { ending: "mp3", options: ["-b:a", "128k"] };
const without = (sec: number, from: number, to: number) =>
  sec < from ? sec : sec < to ? undefined : sec - (to - from);
const same = (sec: number) => sec;

/** Returns a filter that puts stretches of the piece one after the other. */
const stretches =
  (...parts: (readonly [from: number, to: number])[]) =>
  (length: number) => {
    const names = parts.map((_, i) => `[x${i}]`);
    const cut = parts.map(
      ([from, to], i) => `[x${i}]atrim=${from}:${Math.min(to, length)},asetpts=PTS-STARTPTS[y${i}];`,
    );
    const all = parts.map((_, i) => `[y${i}]`);
    return `[0]asplit=${parts.length}${names.join("")};${cut.join("")}${all.join("")}concat=n=${parts.length}:v=0:a=1`;
  };
const END = Number.POSITIVE_INFINITY;
const as = (filter: string) => () => `[0]${filter}[o]`;
const put =
  (filter: (length: number) => string, more = "anull") =>
  (length: number) =>
    `${filter(length)},${more}[o]`;

/** The kinds of edits for which there is an aim. */
export const AIMED: readonly Edit[] = [
  {
    name: "1.5 s off the start",
    filter: as("atrim=1.5,asetpts=PTS-STARTPTS"),
    where: (t) => without(t, 0, 1.5),
  },
  {
    name: "1.5 s off the start, equalised, +4 dB limited, MP3 128",
    filter: as(
      "atrim=1.5,asetpts=PTS-STARTPTS,equalizer=f=120:t=o:w=1:g=4,equalizer=f=5000:t=o:w=1:g=-3,volume=4dB,alimiter",
    ),
    where: (t) => without(t, 0, 1.5),
    codec: MP3,
  },
  {
    name: "8 s out of the middle",
    filter: put(stretches([0, 40], [48, END])),
    where: (t) => without(t, 40, 48),
    edges: [40, 48],
  },
  {
    name: "a passage of 4 s repeated, 3 dB softer",
    filter: put(stretches([0, 50], [46, END]), "volume=-3dB"),
    where: (t) => (t < 50 ? t : t + 4),
    edges: [46, 50],
  },
  {
    name: "1.5 s off and 10 s out, MP3 128",
    filter: put(stretches([1.5, 30], [40, END])),
    where: (t) => (t < 1.5 ? undefined : t < 30 ? t - 1.5 : t < 40 ? undefined : t - 11.5),
    edges: [30, 40],
    codec: MP3,
  },
  { name: "1 % faster", filter: as("atempo=1.01"), where: (t) => t / 1.01, isTraced: true },
];

/** What else musicians do. */
export const OTHERS: readonly Edit[] = [
  {
    name: "1 % faster and higher, as a tape",
    filter: as("asetrate=44541,aresample=44100"),
    where: (t) => t / 1.01,
  },
  { name: "2.5 % slower", filter: as("atempo=0.975"), where: (t) => t / 0.975, isTraced: true },
  {
    name: "the first bar once more in front",
    filter: put(stretches([0, 2], [0, END])),
    where: (t) => t + 2,
    edges: [0],
  },
  {
    name: "a count-in of 2.1 s in front",
    filter: () =>
      "aevalsrc='0.5*sin(2*PI*1000*t)*exp(-40*mod(t,0.5))':s=44100:d=2.1,aformat=channel_layouts=stereo[c];[c][0]concat=n=2:v=0:a=1[o]",
    where: (t) => t + 2.1,
    edges: [0],
  },
  { name: "10.4 ms of silence in front", filter: as("adelay=10.4:all=1"), where: (t) => t + 0.0104 },
  {
    name: "faded in over 5 s and out over 8 s",
    filter: (length) => `[0]afade=t=in:d=5,afade=t=out:st=${length - 8}:d=8[o]`,
    where: same,
  },
  {
    name: "the last 20 s off, faded out",
    filter: (length) => `[0]atrim=0:${length - 20},afade=t=out:st=${length - 26}:d=6[o]`,
    where: (t, length) => (t < length - 20 ? t : undefined),
  },
  {
    name: "mastered louder",
    filter: as(
      "acompressor=threshold=-18dB:ratio=4:attack=5:release=80:makeup=4,volume=5dB,alimiter=limit=0.9",
    ),
    where: same,
  },
  {
    name: "the middle 4 dB up and bright, as a vocal",
    filter: as("stereotools=mlev=1.6:slev=0.9,equalizer=f=2500:t=o:w=1.5:g=5,alimiter=level=disabled"),
    where: same,
  },
  {
    name: "another part laid over 40 s of it",
    filter: () =>
      "[1]atrim=0:40,asetpts=PTS-STARTPTS,volume=-4dB,adelay=30000:all=1[p];[0][p]amix=inputs=2:duration=first:normalize=0[o]",
    where: same,
  },
  { name: "6 s muted", filter: as("volume=0:enable='between(t,60,66)'"), where: same, edges: [60, 66] },
  {
    name: "6 s replaced by other music",
    filter: () =>
      "[0]asplit[x][y];[x]atrim=0:60[p];[y]atrim=66,asetpts=PTS-STARTPTS[q];[1]atrim=10:16,asetpts=PTS-STARTPTS[r];[p][r][q]concat=n=3:v=0:a=1[o]",
    where: same,
    edges: [60, 66],
  },
  {
    name: "two parts of 20 s exchanged",
    filter: put(stretches([0, 30], [50, 70], [30, 50], [70, END])),
    where: (t) => (t < 30 || t >= 70 ? t : t < 50 ? t + 20 : t - 20),
    edges: [30, 50, 70],
  },
  {
    name: "a bar of 2 s out",
    filter: put(stretches([0, 60], [62, END])),
    where: (t) => without(t, 60, 62),
    edges: [60, 62],
  },
  {
    name: "half a second of silence in the middle",
    filter: () =>
      "[0]asplit[x][y];[x]atrim=0:60,apad=pad_dur=0.5[p];[y]atrim=60,asetpts=PTS-STARTPTS[q];[p][q]concat=n=2:v=0:a=1[o]",
    where: (t) => (t < 60 ? t : t + 0.5),
    edges: [60],
  },
  { name: "at 48 kHz", filter: as("aresample=48000"), where: same, rateHz: 48_000 },
  { name: "mono", filter: as("pan=mono|c0=0.5*c0+0.5*c1"), where: same, channels: 1 },
  {
    name: "AAC 96",
    filter: as("anull"),
    where: same,
    codec: { ending: "m4a", options: ["-c:a", "aac", "-b:a", "96k"] },
  },
  {
    name: "Opus 64",
    filter: as("aresample=48000"),
    where: same,
    codec: { ending: "opus", options: ["-c:a", "libopus", "-b:a", "64k"] },
    rateHz: 48_000,
  },
];
