import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ascii, be32, format, le32, le64, riff, riffChunk, samples } from "./bytes.ts";
import { found, PYTHON, run } from "./run.ts";

/** How a format says what a file is about. */
export type Family = "id3" | "vorbis" | "mp4";

export type Original = {
  name: string;
  family: Family;
  path: string;
};

/** A recipe: makes a file at a path. `at` returns paths of helpers in the same folder. */
type Make = (path: string, at: (name: string) => string) => void | Promise<void>;

const FFMPEG = ["ffmpeg", "-v", "error", "-y", "-nostdin", "-bitexact"];
/** Two seconds of noise and tones that change. */
const source = (channels: number, rateHz: number, sec = 2) => [
  ...["-f", "lavfi", "-i"],
  `aevalsrc=${Array.from({ length: channels }, (_, c) => `0.4*sin(${300 + 70 * c}*2*PI*t)+0.05*random(${c})`).join("|")}:s=${rateHz}:d=${sec}`,
];
const ffmpeg =
  (channels: number, rateHz: number, ...args: string[]): Make =>
  (path) =>
    void run([...FFMPEG, ...source(channels, rateHz), ...args, path]);
const write =
  (...parts: Uint8Array[]): Make =>
  async (path) =>
    void (await Bun.write(path, Buffer.concat(parts)));
/** Makes a file and lets another program write tags into it. */
const then =
  (make: Make, ...more: ((path: string) => void | Promise<void>)[]): Make =>
  async (path, at) => {
    await make(path, at);
    for (const step of more) await step(path);
  };
const mutagen = (code: string) => (path: string) =>
  void run([PYTHON, "-c", `import sys\np=sys.argv[1]\n${code}`, path]);
const ID3_OF_OTHERS =
  "t.add(TIT2(encoding=1,text='\\u0421\\u0442'))\nt.add(COMM(encoding=1,lang='eng',desc='',text='secret session'))\nt.add(PRIV(owner='x',data=b'123'))\n";
const wav16 = ffmpeg(2, 44_100, "-c:a", "pcm_s16le");
const flacWith =
  (args: string[], wav: string[] = ["-c:a", "pcm_s16le"], channels = 2): Make =>
  (path, at) => {
    run([...FFMPEG, ...source(channels, 44_100), ...wav, at("flac.wav")]);
    run(["flac", "-s", "-f", ...args, "-o", path, at("flac.wav")]);
  };
const encoded =
  (program: (wav: string, path: string) => string[], channels = 2, rateHz = 48_000): Make =>
  (path, at) => {
    run([...FFMPEG, ...source(channels, rateHz), "-c:a", "pcm_s16le", at("enc.wav")]);
    run(program(at("enc.wav"), path));
  };
const append = (bytes: Uint8Array) => async (path: string) =>
  void (await Bun.write(path, Buffer.concat([await Bun.file(path).bytes(), bytes])));
const prepend = (bytes: Uint8Array) => async (path: string) =>
  void (await Bun.write(path, Buffer.concat([bytes, await Bun.file(path).bytes()])));
const ID3V1 = Buffer.concat([ascii("TAGOld title"), Buffer.alloc(116)]);
const oldId3 = (flags: number, frames: Uint8Array): Buffer =>
  Buffer.concat([
    ascii("ID3\x03\0"),
    Buffer.of(flags),
    Buffer.of(0, 0, frames.length >> 7, frames.length & 0x7f),
    frames,
  ]);
const oldFrame = Buffer.concat([ascii("TIT2"), be32(9), Buffer.of(0, 0), ascii("\0Old name")]);
const lyrics3 = (() => {
  const body = "LYRICSBEGININD0000200LYR00005hello";
  return ascii(`${body}${String(body.length).padStart(6, "0")}LYRICS200`);
})();

const bext = (() => {
  const content = Buffer.alloc(602);
  content.write("Take 7, John's phone 555", 0, "latin1");
  content.write("2024-05-06", 320, "latin1");
  content.writeUInt32LE(48_000 * 3600, 338);
  content.writeUInt16LE(1, 346);
  content.fill(7, 348, 412);
  return riffChunk("bext", Buffer.concat([content, ascii("A=PCM,F=44100,W=24,M=stereo,T=Desk\r\n")]));
})();
const ixml = riffChunk(
  "iXML",
  ascii("<BWFXML><IXML_VERSION>1.5</IXML_VERSION><PROJECT>Film</PROJECT></BWFXML>"),
);
const info = (text: string) =>
  riffChunk("LIST", Buffer.concat([ascii("INFO"), riffChunk("ICMT", ascii(`${text}\0`))]));
const cue = riffChunk(
  "cue ",
  Buffer.concat([le32(1), le32(1), le32(500), ascii("data"), le32(0), le32(0), le32(500)]),
);
const adtl = riffChunk(
  "LIST",
  Buffer.concat([ascii("adtl"), riffChunk("labl", Buffer.concat([le32(1), ascii("Drop\0")]))]),
);
const objects = Buffer.concat([
  riffChunk("axml", ascii('<?xml version="1.0"?><ebuCoreMain><adm/></ebuCoreMain>')),
  riffChunk("chna", Buffer.alloc(44, 1)),
]);

function rf64(form: string, data: Buffer, ...before: Buffer[]): Buffer {
  const ds64 = (bytes: number) =>
    riffChunk("ds64", Buffer.concat([le64(bytes), le64(data.length), le64(data.length / 6), le32(0)]));
  const rest = Buffer.concat([...before, format(2, 3), riffChunk("data", data, 0xffff_ffff)]);
  return Buffer.concat([ascii(form), le32(0xffff_ffff), ascii("WAVE"), ds64(4 + 36 + rest.length), rest]);
}

const RECIPES: Readonly<Record<string, Make>> = {
  "8 bit mono.wav": ffmpeg(1, 22_050, "-c:a", "pcm_u8"),
  "16 bit stereo.wav": wav16,
  "24 bit stereo 48k.wav": ffmpeg(2, 48_000, "-c:a", "pcm_s24le"),
  "32 bit stereo 96k.wav": ffmpeg(2, 96_000, "-c:a", "pcm_s32le"),
  "float stereo.wav": ffmpeg(2, 48_000, "-c:a", "pcm_f32le"),
  "double mono.wav": ffmpeg(1, 48_000, "-c:a", "pcm_f64le"),
  "24 bit six channels.wav": ffmpeg(6, 48_000, "-c:a", "pcm_s24le"),
  "16 bit eight channels.wav": ffmpeg(8, 48_000, "-c:a", "pcm_s16le"),
  "odd length 24 bit mono.wav": write(riff(format(1, 3), riffChunk("data", samples(30_001, 3, 1)))),
  "no pad byte at the end.wav": write(
    riff(format(1, 1), Buffer.concat([ascii("data"), le32(20_001), samples(20_001, 1, 2)])),
  ),
  "streamed without sizes.wav": write(
    ascii("RIFF\xff\xff\xff\xffWAVE"),
    format(2, 2),
    ascii("data\xff\xff\xff\xff"),
    samples(40_000, 2, 3),
  ),
  "streamed with zeros.wav": write(
    ascii("RIFF\0\0\0\0WAVE"),
    format(2, 2),
    ascii("data\0\0\0\0"),
    samples(40_000, 2, 4),
  ),
  "RF64 by ffmpeg.wav": ffmpeg(2, 48_000, "-c:a", "pcm_s24le", "-rf64", "always"),
  "BW64 with objects.wav": write(rf64("BW64", samples(30_000, 3, 5), objects)),
  "odd chunks.wav": write(
    riff(
      riffChunk("JUNK", ascii("odd")),
      riffChunk("zzzz", ascii("what?")),
      info("one"),
      format(2, 2),
      riffChunk("fact", le32(20_000)),
      cue,
      riffChunk("data", samples(40_000, 2, 6)),
      adtl,
      info("two"),
    ),
    ascii("\0\0\0 behind the chunks"),
  ),
  "of a recorder with bext and iXML.wav": write(
    riff(bext, format(2, 3), ixml, riffChunk("data", samples(30_000, 3, 7))),
  ),
  "tagged by mutagen.wav": then(
    wav16,
    mutagen(
      `from mutagen.wave import WAVE\nfrom mutagen.id3 import ID3, TIT2, COMM, PRIV\nf=WAVE(p)\nf.add_tags()\nt=f.tags\n${ID3_OF_OTHERS}f.save()`,
    ),
  ),
  "tagged by ffmpeg.wav": ffmpeg(
    2,
    44_100,
    "-c:a",
    "pcm_s16le",
    "-metadata",
    "title=Old",
    "-metadata",
    "comment=secret session",
    "-write_bext",
    "1",
  ),
  "made by sox.wav": (path) =>
    void run(["sox", "-n", "-r", "44100", "-b", "24", "-c", "2", path, "synth", "2", "pluck", "A3"]),
  "MP3 in a WAV.wav": ffmpeg(2, 44_100, "-c:a", "libmp3lame"),

  "8 bit.aiff": ffmpeg(2, 44_100, "-c:a", "pcm_s8"),
  "16 bit.aiff": ffmpeg(2, 44_100, "-c:a", "pcm_s16be"),
  "24 bit six channels.aiff": ffmpeg(6, 48_000, "-c:a", "pcm_s24be"),
  "32 bit mono.aiff": ffmpeg(1, 48_000, "-c:a", "pcm_s32be"),
  "little-endian AIFF-C.aiff": ffmpeg(2, 44_100, "-c:a", "pcm_s16le"),
  "float AIFF-C.aiff": ffmpeg(2, 44_100, "-c:a", "pcm_f32be"),
  "tagged by mutagen.aiff": then(
    ffmpeg(2, 44_100, "-c:a", "pcm_s16be"),
    mutagen(
      `from mutagen.aiff import AIFF\nfrom mutagen.id3 import ID3, TIT2, COMM, PRIV\nf=AIFF(p)\nf.add_tags()\nt=f.tags\n${ID3_OF_OTHERS}f.save()`,
    ),
  ),
  "made by sox with a comment.aiff": (path) =>
    void run([
      "sox",
      "-n",
      "-r",
      "44100",
      "-b",
      "16",
      "-c",
      "1",
      "--comment",
      "secret session",
      path,
      "synth",
      "2",
      "pluck",
      "A3",
    ]),

  "8 bit.flac": flacWith([], ["-c:a", "pcm_u8"], 1),
  "16 bit with seek table.flac": flacWith(["-S", "0.5s"]),
  "24 bit eight channels.flac": flacWith([], ["-c:a", "pcm_s24le"], 8),
  "tagged by flac.flac": flacWith(["-T", "TITLE=Old", "-T", "COMMENT=secret session", "--padding=9000"]),
  "with a cue sheet.flac": async (path, at) => {
    await Bun.write(
      at("a.cue"),
      'FILE "flac.wav" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    INDEX 01 00:01:00\n',
    );
    await flacWith([`--cuesheet=${at("a.cue")}`])(path, at);
  },
  "with foreign metadata.flac": flacWith(
    ["--keep-foreign-metadata"],
    ["-c:a", "pcm_s16le", "-metadata", "comment=secret session"],
  ),
  "behind an ID3 tag.flac": then(flacWith([]), prepend(oldId3(0, oldFrame))),
  "in front of ID3v1.flac": then(flacWith([]), append(ID3V1)),
  "tagged by mutagen with a picture.flac": then(
    flacWith([]),
    mutagen(
      "from mutagen.flac import FLAC, Picture\nf=FLAC(p)\nf['artist']=['a','b']\nq=Picture()\nq.data=b'\\xff\\xd8\\xff'+bytes(1000000)\nq.mime='image/jpeg'\nf.add_picture(q)\nf.save()",
    ),
  ),

  "constant bit rate.mp3": ffmpeg(
    2,
    44_100,
    "-c:a",
    "libmp3lame",
    "-b:a",
    "192k",
    "-write_id3v1",
    "1",
    "-metadata",
    "title=Old",
  ),
  "variable bit rate.mp3": ffmpeg(2, 44_100, "-c:a", "libmp3lame", "-q:a", "4"),
  "mono 22k.mp3": ffmpeg(1, 22_050, "-c:a", "libmp3lame"),
  "without a Xing frame.mp3": ffmpeg(
    2,
    44_100,
    "-c:a",
    "libmp3lame",
    "-write_xing",
    "0",
    "-id3v2_version",
    "0",
  ),
  "tagged by mutagen 2.3.mp3": then(
    ffmpeg(2, 44_100, "-c:a", "libmp3lame"),
    mutagen(
      `from mutagen.id3 import ID3, TIT2, COMM, PRIV\nt=ID3()\n${ID3_OF_OTHERS}t.save(p,v2_version=3,v1=2)`,
    ),
  ),
  "with APE and ID3v1.mp3": then(
    ffmpeg(2, 44_100, "-c:a", "libmp3lame"),
    append(ID3V1),
    mutagen("from mutagen.apev2 import APEv2\nt=APEv2()\nt['Title']='Old'\nt['Secret']='session'\nt.save(p)"),
  ),
  "with Lyrics3 and two tags in front.mp3": then(
    ffmpeg(2, 44_100, "-c:a", "libmp3lame", "-id3v2_version", "3"),
    prepend(oldId3(0, oldFrame)),
    append(lyrics3),
    append(ID3V1),
  ),
  "unsynchronised.mp3": then(
    ffmpeg(2, 44_100, "-c:a", "libmp3lame", "-id3v2_version", "0"),
    prepend(oldId3(0x80, oldFrame)),
  ),

  "mono.ogg": encoded((wav, path) => ["oggenc", "-Q", "-q", "3", "-o", path, wav], 1),
  "tagged by oggenc.ogg": encoded((wav, path) => [
    "oggenc",
    "-Q",
    "-q",
    "6",
    "-t",
    "Old",
    "-c",
    "comment=secret session",
    "-o",
    path,
    wav,
  ]),
  "six channels.ogg": encoded((wav, path) => ["oggenc", "-Q", "-o", path, wav], 6),
  "by ffmpeg.ogg": ffmpeg(2, 44_100, "-c:a", "libvorbis"),
  "a minute.ogg": (path) => void run([...FFMPEG, ...source(2, 44_100, 60), "-c:a", "libvorbis", path]),
  "mono.opus": encoded((wav, path) => ["opusenc", "--quiet", wav, path], 1),
  "six channels.opus": encoded((wav, path) => ["opusenc", "--quiet", wav, path], 6),
  "by ffmpeg with a long comment.opus": ffmpeg(
    2,
    48_000,
    "-c:a",
    "libopus",
    "-metadata",
    `comment=${"secret session ".repeat(5_000)}`,
  ),

  "ALAC 16 bit.m4a": ffmpeg(2, 44_100, "-c:a", "alac", "-sample_fmt", "s16p"),
  "ALAC 24 bit index first.m4a": ffmpeg(
    2,
    48_000,
    "-c:a",
    "alac",
    "-sample_fmt",
    "s32p",
    "-movflags",
    "+faststart",
    "-metadata",
    "comment=secret session",
  ),
  "AAC six channels.m4a": ffmpeg(6, 48_000, "-c:a", "aac", "-b:a", "256k"),
  "AAC tagged by AtomicParsley.m4a": then(
    ffmpeg(2, 44_100, "-c:a", "aac", "-movflags", "+faststart"),
    (path) =>
      void run(["AtomicParsley", path, "--title", "Old", "--comment", "secret session", "--overWrite"]),
  ),
  "AAC tagged by mutagen.m4a": then(
    ffmpeg(1, 44_100, "-c:a", "aac"),
    mutagen(
      "from mutagen.mp4 import MP4\nf=MP4(p)\nf['\\xa9nam']='Old'\nf['----:com.apple.iTunes:X']=[b'secret session']\nf.save()",
    ),
  ),
  "QuickTime.mov": ffmpeg(2, 48_000, "-c:a", "pcm_s24le", "-f", "mov", "-metadata", "location=+59.3+018.1/"),
  "with times of words.m4a": ffmpeg(
    2,
    48_000,
    "-c:a",
    "aac",
    "-movflags",
    "+faststart",
    "-metadata",
    "lyrics=old words",
  ),
};

/** Files that cannot carry tags: their copies are the files themselves. */
const UNTAGGABLE: Readonly<Record<string, Make>> = {
  "Wave64.w64": ffmpeg(2, 48_000, "-c:a", "pcm_s24le"),
  "Core Audio.caf": ffmpeg(2, 48_000, "-c:a", "pcm_s24be"),
  "ADTS.aac": ffmpeg(2, 48_000, "-c:a", "aac", "-f", "adts"),
  "WavPack.wv": ffmpeg(2, 48_000, "-c:a", "wavpack"),
  "FLAC in Ogg.ogg": ffmpeg(2, 48_000, "-c:a", "flac", "-f", "ogg"),
  "fragments.m4a": ffmpeg(2, 48_000, "-c:a", "aac", "-movflags", "+frag_keyframe+empty_moov", "-f", "mp4"),
  "two recordings.ogg": (path, at) => {
    run([...FFMPEG, ...source(2, 44_100), "-c:a", "libvorbis", at("one.ogg")]);
    run([...FFMPEG, ...source(2, 44_100), "-c:a", "libvorbis", "-serial_offset", "77", at("two.ogg")]);
    copyFileSync(at("one.ogg"), path);
    return append(readFileSync(at("two.ogg")))(path);
  },
};

const FAMILY: Readonly<Record<string, Family>> = {
  wav: "id3",
  aiff: "id3",
  mp3: "id3",
  flac: "vorbis",
  ogg: "vorbis",
  opus: "vorbis",
  m4a: "mp4",
  mov: "mp4",
};

export type Originals = { originals: Original[]; untaggable: Original[] };

/** Makes all originals in a folder. @throws Error when a program that makes some is absent. */
export async function makeOriginals(folder: string, say: (text: string) => void): Promise<Originals> {
  const missing = ["ffmpeg", "flac", "oggenc", "opusenc", "sox", "AtomicParsley"].filter(
    (name) => !found(name),
  );
  if (missing.length > 0) say(`absent, so what they make is left out: ${missing.join(", ")}`);
  return { originals: await make(RECIPES), untaggable: await make(UNTAGGABLE) };

  async function make(recipes: Readonly<Record<string, Make>>): Promise<Original[]> {
    const made: Original[] = [];
    for (const [name, recipe] of Object.entries(recipes)) {
      const path = join(folder, name);
      try {
        await recipe(path, (helper) => join(folder, `helper-${helper}`));
      } catch (error) {
        say(`not made: ${name} (${String(error).slice(0, 200)})`);
        continue;
      }
      made.push({ name, path, family: FAMILY[name.split(".").at(-1) ?? ""] ?? "id3" });
    }
    return made;
  }
}
