import { describe, expect, test } from "bun:test";
import { namesIn } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";

/** What a brief asks for, as one line per kind of wish. */
function read(query: string) {
  const found = parseBrief(query, { findArtist: () => undefined });
  const wanted = found.wanted.flatMap(({ tags }) => tags.map(({ entry }) => entry.name));
  const unwanted = found.unwanted.flatMap(({ tags }) => tags.map(({ entry }) => entry.name));
  return { ...found, wanted, unwanted, genres: namesIn(found.wanted, "genres") };
}

const BRIEFS: Readonly<
  Record<
    string,
    readonly (readonly [query: string, wanted: string[], unwanted: string[], voice: string | null])[]
  >
> = {
  Dutch: [
    ["donker en melancholisch pianostuk zonder zang", ["Dark", "Melancholic", "Piano"], [], "instrumental"],
    [
      "vrolijke popmuziek met vrouwenstem, niet te snel",
      ["Happy", "Pop", "Female Vocals"],
      ["Fast"],
      "vocal",
    ],
    ["geen drums, alleen strijkers", ["Strings"], ["Drums"], null],
    ["rustig akoestisch gitaarliedje", ["Calm", "Acoustic Guitar"], [], null],
    ["dromerige synthesizers, sfeervol, niets met koper", ["Dreamy", "Synth"], ["Brass"], null],
  ],
  Polish: [
    ["spokojna muzyka fortepianowa bez wokalu", ["Calm", "Piano"], [], "instrumental"],
    ["mroczny ambient bez perkusji", ["Dark Ambient"], ["Drums"], null],
    [
      "smutna ballada z gitarą akustyczną i skrzypcami",
      ["Sad", "Ballad", "Acoustic Guitar", "Violin"],
      [],
      null,
    ],
    ["energiczny rock z męskim wokalem", ["Energetic", "Rock", "Male Vocals"], [], "vocal"],
    ["wesołe trąbki i akordeony, żadnych bębnów", ["Happy", "Trumpet", "Accordion"], ["Drums"], null],
  ],
  Russian: [
    ["спокойная фортепианная музыка без вокала", ["Calm"], [], "instrumental"],
    ["мрачный эмбиент без ударных", ["Dark Ambient"], ["Drums"], null],
    ["грустная баллада с женским вокалом", ["Sad", "Ballad", "Female Vocals"], [], "vocal"],
    [
      "энергичный рок с электрогитарами, не слишком тяжёлый",
      ["Energetic", "Rock", "Electric Guitar"],
      ["Heavy"],
      null,
    ],
    [
      "джаз с саксофоном и контрабасом, никаких скрипок",
      ["Jazz", "Saxophone", "Double Bass"],
      ["Violin"],
      null,
    ],
  ],
  Japanese: [
    ["静かなピアノ曲、ボーカルなし", ["Calm", "Piano"], [], "instrumental"],
    ["明るいポップ、女性ボーカル", ["Happy", "Pop", "Female Vocals"], [], "vocal"],
    ["ドラムなしの暗いアンビエント", ["Dark Ambient"], ["Drums"], null],
    ["激しくないジャズ、サックスとベース入り", ["Jazz", "Saxophone", "Bass"], ["Intense"], null],
    ["悲しげなバイオリンとチェロ、打楽器抜き", ["Sad", "Violin", "Cello"], ["Percussion"], null],
  ],
  German: [
    ["fröhlicher Swing mit Klarinette, ohne Gesang", ["Happy", "Swing", "Clarinet"], [], "instrumental"],
    ["techno ohne vocals", ["Techno"], [], "instrumental"],
    ["verträumte Gitarrenballade, kein Schlagzeug", ["Dreamy", "Guitar", "Ballad"], ["Drums"], null],
  ],
  French: [
    ["musique de chambre mélancolique, sans piano", ["Chamber Music", "Melancholic"], ["Piano"], null],
    ["du funk qui groove, pas de voix", ["Funk"], [], "instrumental"],
    ["rock garage rageur, guitares saturées", ["Garage Rock", "Angry", "Distorted Guitar"], [], null],
  ],
  Italian: [
    ["musica triste", ["Sad"], [], null],
    ["canzone malinconica con violini, niente batteria", ["Melancholic", "Violin"], ["Drums"], null],
    ["musica da camera solenne con oboe e fagotto", ["Chamber Music", "Oboe", "Bassoon"], [], null],
  ],
  Spanish: [
    ["rock duro, guitarras distorsionadas, sin voz", ["Hard Rock", "Distorted Guitar"], [], "instrumental"],
    ["música ambiental relajante para meditar, nada de percusión", ["Ambient"], ["Percussion"], null],
    [
      "tango dramático con bandoneón y contrabajo",
      ["Tango", "Dramatic", "Accordion", "Double Bass"],
      [],
      null,
    ],
  ],
  Portuguese: [
    ["bossa nova suave com violão, sem bateria", ["Bossa Nova", "Acoustic Guitar"], ["Drums"], null],
    ["samba animado, sem voz", ["Samba"], [], "instrumental"],
    ["valsa sonhadora com harpa e flautas", ["Waltz", "Dreamy", "Harp", "Flute"], [], null],
  ],
};

describe.each(Object.entries(BRIEFS))("a brief in %s", (_, briefs) => {
  test.each(briefs)("a brief is understood: %s", (query, wanted, unwanted, voice) => {
    const found = read(query);

    expect(found.wanted).toEqual(expect.arrayContaining(wanted));
    expect(found.unwanted).toEqual(unwanted);
    expect(found.vocalPreference).toBe(voice as typeof found.vocalPreference);
  });
});

describe("the theme of a song in each language", () => {
  test.each([
    ["liedje over heimwee en vriendschap", ["Home", "Friendship"]],
    ["piosenka o wolności i przyjaźni", ["Freedom", "Friendship"]],
    ["песня о свободе и детстве", ["Freedom", "Childhood"]],
    ["友情についての歌", ["Friendship"]],
    ["Lied über Freiheit und Sehnsucht", ["Freedom", "Longing"]],
    ["chanson sur l'enfance et la liberté", ["Childhood", "Freedom"]],
    ["canzone sulla guerra e sulla pace", ["War", "Peace"]],
    ["canción sobre la amistad y el barrio", ["Friendship", "City Life"]],
    ["canção sobre a solidão", ["Loneliness"]],
  ])("a theme is read from: %s", (query, themes) => {
    expect(read(query).wanted).toEqual(expect.arrayContaining(themes));
  });
});

describe("a refusal beside something approved, in each language", () => {
  test.each([
    ["Rock ja, Schlager nein", "Rock", "Schlager"],
    ["le jazz oui, le swing non", "Jazz", "Swing"],
    ["tango sí, salsa no", "Tango", "Salsa"],
    ["reggae va bene, ska no", "Reggae", "Ska"],
    ["jazz tak, disco nie", "Jazz", "Disco"],
    ["джаз да, диско нет", "Jazz", "Disco"],
  ])("a refusal is told from an approval: %s", (query, wanted, unwanted) => {
    expect(read(query)).toMatchObject({ wanted: [wanted], unwanted: [unwanted] });
  });
});

test.each([
  ["techno mélodique et rock progressif", ["Melodic Techno", "Progressive Rock"]],
  ["house profundo, metal industrial", ["Deep House", "Industrial Metal"]],
  ["du rock avec de la guitare, puis de la house", ["Rock", "House"]],
  ["electro swing enjouée, sans voix", ["Electro Swing"]],
])("%s: a genre in the words of its own language", (query, genres) => {
  expect(read(query).genres).toEqual(genres);
});

test.each([
  ["musica eletronica relaxnte com sintetizdor", ["Relaxed", "Synth"]],
  ["melancholishe klaviermusik mit streichrn", ["Melancholic", "Piano", "Strings"]],
  ["canción melncólica con guitarra", ["Melancholic", "Guitar"]],
])("%s: a typing slip in another language", (query, wanted) => {
  expect(read(query).wanted).toEqual(expect.arrayContaining(wanted));
});

test.each([
  ["no estilo de Tom Jobim, piano", "Tom Jobim"],
  ["como Paco de Lucía", "Paco de Lucía"],
  ["al estilo de Paco de Lucía, guitarra rápida", "Paco de Lucía"],
  ["zoals Eefje de Visser, elektronisch", "Eefje de Visser"],
  ["klingt wie Ludwig van Beethoven, düster", "Ludwig van Beethoven"],
  ["dans l'esprit de Charles du Bos, piano triste", "Charles du Bos"],
  ["nello stile di Fabrizio De André, voce maschile", "Fabrizio De André"],
])("%s: a name keeps its spelling in another language", (query, name) => {
  expect(read(query).references.map((each) => each.name)).toEqual([name]);
});

test("a particle after a noun is no part of a name", () => {
  expect(read("Lied von Freiheit, Klavier").wanted).toContain("Freedom");
});

describe("an English brief stays English", () => {
  test.each([
    "hell on wheels",
    "sin city drums",
    "the net, stark and bald",
    "La Luna piano",
    "lo-fi house; B minor",
    "Sans Soleil",
  ])("an English brief stays English: %s", (query) => {
    const { unwanted, vocalPreference } = read(query);

    expect({ unwanted, vocalPreference }).toEqual({ unwanted: [], vocalPreference: null });
  });
});
