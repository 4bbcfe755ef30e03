import { basename } from "node:path";
import { type Source, unpacked } from "../eval-search/cold-music.ts";
import type { JudgedFile } from "./line-ups.ts";

/** Pieces of a package, the words that say what they are, and what follows from them. */
type Label = { files: RegExp; words: string; is: readonly string[]; not: readonly string[] };
type JudgedPackage = { name: string; files: RegExp; labels: readonly Label[] };

const ROOM = ["Folk", "Jazz", "Country", "Harp", "Accordion", "Church Organ"];
const SCORE = ["Orchestral", "Classical", ...ROOM];
const LOUD = ["Rock", "Metal", "Distorted Guitar"];
const CLUB = ["Techno", "House", "Drum & Bass"];
const machines = (words: string, files: RegExp, more: readonly string[] = []): Label => ({
  files,
  words,
  is: ["Electronic", ...more],
  not: [...SCORE, "Metal"],
});
const ambient = (words: string, files: RegExp): Label => ({
  files,
  words,
  is: ["Ambient"],
  not: [...ROOM, ...LOUD, ...CLUB, "Classical"],
});
const rock = (words: string, files: RegExp): Label => ({
  files,
  words,
  is: ["Rock"],
  not: [...SCORE, ...CLUB, "Ambient", "Flute"],
});
const orchestra = (words: string, files: RegExp): Label => ({
  files,
  words,
  is: ["Orchestral"],
  not: [...LOUD, ...CLUB, "Electronic", "Jazz", "Accordion"],
});

/** Nothing was trained or chosen on these packages. Pieces that no words describe are left out. */
const JUDGED: readonly JudgedPackage[] = [
  {
    name: "openclonk-data",
    files: /\.ogg$/,
    labels: [
      ambient("GENRE=Ambient", /LucidDream/),
      machines("GENRE=House", /CrushedIceCocktail/, ["House"]),
      orchestra("GENRE=Orchestral", /UrbanBolero/),
      rock("GENRE=Rock", /Motorway|TheSkylands/),
      {
        files: /IslandDreams/,
        words: "GENRE=Reggae",
        is: ["Reggae"],
        not: ["Orchestral", "Classical", "Metal", ...CLUB],
      },
    ],
  },
  {
    name: "wordwarvi-sound",
    files: /lucky/,
    labels: [rock("GENRE=Instrumental Rock", /lucky/)],
  },
  {
    name: "starfighter-data",
    files: /\.ogg$/,
    labels: [
      machines(
        "This song has been made using Linux MultiMedia Studio; title: Last Cyber Dance",
        /last_cyber_dance/,
        ["Synth"],
      ),
      machines("ENCODER=FL Studio", /RE\.ogg|space_dimensions/),
      machines("ARTIST=JunglistMilitia", /sound_and_silence/),
    ],
  },
  { name: "wizznic-data", files: /music/, labels: [machines("GENRE=Electronica", /music/)] },
  {
    name: "naev-data",
    files: /snd\/music/,
    labels: [
      // The fourth is called ambient too, but its own genre is Classic.
      ambient("called ambient1 to ambient3, Ambient Pills", /ambient[1-3]|ambiphonic/),
      orchestra("called pirates_orchestra", /pirates_orchestra/),
    ],
  },
  {
    name: "warmux-data",
    files: /music/,
    labels: [
      {
        files: /Divertissement_pour_flute/,
        words: "genre=Classique, title=Divertissement pour flute",
        is: ["Classical", "Flute"],
        not: [...LOUD, ...CLUB, "Electronic", "Ambient", "Jazz", "Accordion"],
      },
      ambient("Genre=Ambiance, Album Title=Musique ambiance", /construction/),
    ],
  },
  {
    name: "0ad-data",
    files: /audio\/music/,
    labels: [
      {
        files: /Taiko_/,
        words: "titles: Taiko 1, Taiko 2",
        is: ["Percussion"],
        not: [...LOUD, ...CLUB, "Electronic", "Synth", "Piano", "Organ", "Accordion"],
      },
      { files: /8Bit/, words: "8Bit Bonus Track", is: ["Electronic"], not: [...SCORE, "Metal"] },
      {
        files: /./,
        words:
          "credits: cello, harp, didgeridoo, djembe, dulcimer, flute, frame drum, guitar, tin whistle, trumpet, viola, violin",
        is: [],
        not: [...LOUD, ...CLUB, "Electronic", "Electric Guitar", "Accordion", "Organ", "Saxophone", "Jazz"],
      },
    ],
  },
  // Shooters whose author makes techno with a sequencer.
  ...["rrootage-data", "torus-trooper-data", "noiz2sa-data", "parsec47-data", "gunroar-data"].map((name) => ({
    name,
    files: /\.ogg$/,
    labels: [machines("techno, made with a sequencer", /./, ["Synth"])],
  })),
];

/** How many pieces of a package are judged at most, and how long they are. */
const MOST = 16;

/** Fetches the packages once and returns their described pieces. */
export async function judgedMusic(folder: string): Promise<JudgedFile[]> {
  const all: JudgedFile[] = [];
  for (const { name, files, labels } of JUDGED) {
    const source: Pick<Source, "name" | "files"> = { name, files };
    const described = (await unpacked(folder, source)).flatMap((path) => {
      const label = labels.find((each) => each.files.test(basename(path)) || each.files.test(path));
      return label ? [{ path, source: name, is: label.is, not: label.not }] : [];
    });
    const step = Math.max(1, Math.floor(described.length / MOST));
    all.push(...described.filter((_, i) => i % step === 0).slice(0, MOST));
  }
  return all;
}
