import { describe, expect, test } from "bun:test";
import { type Interpretation, namesIn } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";
import { keyName } from "../../src/kernel/musical-key.ts";

const read = (query: string): Interpretation => parseBrief(query, { findArtist: () => undefined });

describe("numbers in other words", () => {
  test.each([
    ["somewhere around the low 120s bpm", [120, 124]],
    ["mid-90s BPM groove", [93, 97]],
    ["a hundred and ten bpm", [110, 110]],
    ["one twenty eight bpm", [128, 128]],
    ["half-time 140", [140, 140]],
    ["just under 100 bpm", [95, 100]],
    ["not below 118 bpm and no more than 124 bpm", [118, 124]],
    ["[BPM] 120-122 [Key] Gm", [120, 122]],
    ["trip hop 85 smoky", [85, 85]],
    ["120 no 100 bpm", [100, 100]],
    ["techno, 140+", [140, 300]],
    ["@ 126, warm", [126, 126]],
    ["techno around 130 with vocals", [125, 135]],
    ["salsa at 180 with piano", [180, 180]],
  ])("a brief says its tempo: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each([
    "Apollo 13",
    "a 17 year old",
    "around 60 and 90 seconds",
    "budget is 120",
    "chapter 90.",
    "in her 80s",
    "open until 23:00",
  ])("a brief says no tempo: %s", (query) => {
    expect(read(query).bpmRange).toBeNull();
  });

  test.each([
    [":30 spot", [30, 30]],
    ["2m30s", [150, 150]],
    ["two minutes thirty", [150, 150]],
    ["a minute and a half", [90, 90]],
    ["half a minute", [30, 30]],
    ["a 90-second cue", [90, 90]],
    ["sub 3 min", [0, 180]],
    ["between two and a half and three minutes", [150, 180]],
    ["runs 2:15", [135, 135]],
    ["10+ minutes", [600, 86_400]],
    ["at least 2 minutes but under 3 minutes", [120, 180]],
    ["1½ minutes", [90, 90]],
    ["loops at 1:30", [90, 90]],
    ["5 to 7 minutes each", [300, 420]],
  ])("a brief says its length: %s", (query, range) => {
    expect(read(query).durationRange).toEqual(range as [number, number]);
  });

  test.each([
    "the hook should land within the first 10 seconds",
    "after 45 seconds it drops",
    "I am looking for calm",
    "cue 7M2",
    "the 60s",
    "early 90s rave",
    "for about an hour in the dark",
  ])("a brief says no length: %s", (query) => {
    expect(read(query).durationRange).toBeNull();
  });

  test.each([
    ["in A, please", "A"],
    ["D dorian", "D minor"],
    ["A mixolydian", "A major"],
    ["f sharp minor", "F# minor"],
    ["camelot 8a", "A minor"],
    ["h-moll", "B minor"],
    ["Es-Dur", "Eb major"],
    ["la mineur", "A minor"],
    ["sol sostenido menor", "Ab minor"],
    ["Gm or 6A", "G minor"],
    ["una canción lenta en la menor", "A minor"],
    ["un morceau lent en la dièse mineur, avec du piano", "Bb minor"],
    ["un brano in si maggiore con pianoforte", "B major"],
    ["sin la menor duda, techno oscuro", null],
    ["not in C major but in A minor", "A minor"],
  ])("a brief says its key: %s", (query, key) => {
    const found = read(query).key;
    expect(found && keyName(found)).toBe(key);
  });

  test.each([
    ["circa 1974.", "1970s"],
    ["could have been a hit in 1999.", "1990s"],
    ["nineteen-eighties", "1980s"],
    ["late '60s", "1960s"],
  ])("a brief says its era: %s", (query, era) => {
    expect(namesIn(read(query).wanted, "eras")).toEqual([era]);
  });

  test.each(["a 30s spot", "in her 20s", "deliver by 2024", "founded in 1972"])(
    "a brief says no era: %s",
    (query) => {
      expect(namesIn(read(query).wanted, "eras")).toEqual([]);
    },
  );
});

describe("negation", () => {
  test.each([
    ["no drums except brushes", "instruments", ["Drum Kit", "Brushed Drums"], ["Drums"]],
    ["anything but trap", "genres", [], ["Trap"]],
    ["everything except the piano", "instruments", [], ["Piano"]],
    ["nothing too dark", "moods", [], ["Dark"]],
    ["avoid strings, brass and choirs", "instruments", [], ["Strings", "Brass", "Choir"]],
    ["no banjo, mandolin or fiddle", "instruments", [], ["Banjo", "Mandolin", "Fiddle"]],
    ["uplifting without being aggressive", "moods", ["Uplifting"], ["Aggressive"]],
    ["dark but not scary", "moods", ["Dark"], ["Scary"]],
    ["it isn't sad", "moods", [], ["Sad"]],
    ["hopeful rather than triumphant", "moods", ["Hopeful"], ["Triumphant"]],
    ["steer clear of dubstep", "genres", [], ["Dubstep"]],
    ["funky, minus the horns", "instruments", [], ["Horns"]],
    ["trap is out", "genres", [], ["Trap"]],
    ["synths are a no", "instruments", [], ["Synth"]],
    ["it was orchestral but that's off the table", "genres", [], ["Orchestral"]],
    ["every film uses punk and we're bored of it", "genres", [], ["Punk"]],
    ["previously it was corporate, now techno", "genres", ["Techno"], ["Corporate"]],
    ["way too gloomy", "moods", [], ["Dark"]],
    ["no drums, just warm strings", "instruments", ["Strings"], ["Drums"]],
    ["no drums and dark", "moods", ["Dark"], []],
    ["nothing but strings", "instruments", ["Strings"], []],
    ["creepy, nothing gory", "moods", ["Scary"], []],
    ["[Avoid] sax, piano [Key] Am", "instruments", [], ["Saxophone", "Piano"]],
    ["less is more, piano", "instruments", ["Piano"], []],
    ["don't forget the piano", "instruments", ["Piano"], []],
    ["way too much piano, we'd rather have guitars", "instruments", ["Guitar"], ["Piano"]],
    ["-strings -drums +flute", "instruments", ["Flute"], ["Strings", "Drums"]],
    ["Avoid: claps; flute; ukulele. Prefer: piano.", "instruments", ["Piano"], ["Claps", "Flute", "Ukulele"]],
    ["Avoid: claps; we want a flute", "instruments", ["Flute"], ["Claps"]],
    ["must not feature drums", "instruments", [], ["Drums"]],
    ["excl. strings", "instruments", [], ["Strings"]],
    ["it lacks drums", "instruments", [], ["Drums"]],
    ["kill the drums after the intro", "instruments", [], ["Drums"]],
    ["nothing beats a good bassline", "instruments", ["Bass"], []],
    ["nothing against brass", "instruments", [], []],
    ["no objection to strings", "instruments", [], []],
    ["rather cello than violin", "instruments", ["Cello"], ["Violin"]],
    ["I prefer cello to violin, with harp", "instruments", ["Cello", "Harp"], ["Violin"]],
    ["I prefer music to dance to", "genres", ["Dance"], []],
    ["take the flute off", "instruments", [], ["Flute"]],
    ["thumbs down for banjo, thumbs up for harp", "instruments", ["Harp"], ["Banjo"]],
    ["sin que sea triste", "moods", [], ["Sad"]],
  ] as const)("a brief rules out what it denies: %s", (query, category, wanted, unwanted) => {
    const brief = read(query);
    expect(namesIn(brief.wanted, category)).toEqual([...wanted]);
    expect(namesIn(brief.unwanted, category)).toEqual([...unwanted]);
  });

  test.each([
    ["vocals optional", null],
    ["with or without vocals", null],
    ["vocals are a no", "instrumental"],
    ["sans vocals", "instrumental"],
    ["vocals (none), mood (dark)", "instrumental"],
    ["no lead vocals", "instrumental"],
    ["no vox lofi 72bpm", "instrumental"],
    ["female vox a plus", "vocal"],
    ["no female vocals", null],
    ["hip hop, no rap", null],
    ["no singing or rap", "instrumental"],
    ["instrumental version also needed", null],
    ["topline-ready instrumentals", "instrumental"],
    ["epic choir", null],
    ["male rap", "vocal"],
  ])("the voice of a brief, %s, is %s", (query, preference) => {
    expect(read(query).vocalPreference).toBe(preference as "vocal");
  });

  test('"no vocals" asks for instrumental music and never excludes it', () => {
    expect(namesIn(read("dark techno, no vocals").unwanted, "vocalTypes")).toEqual([]);
    expect(read("dark techno, no vocals").explicit.noVocals).toBe(true);
  });
});

describe("words in their company", () => {
  test.each([
    ["light percussion", "characters", []],
    ["dark, light, airy", "characters", ["Airy"]],
    ["our hero walks home", "moods", []],
    ["a drone shot of the house", "genres", []],
    ["a dance hall scene", "genres", []],
    ["warm dancehall", "genres", ["Dancehall"]],
    ["pulsing strings", "movements", ["Pulsing"]],
    ["metal guitars", "genres", ["Metal"]],
    ["a film about war", "lyricThemes", []],
    ["a song about war", "lyricThemes", ["War"]],
    ["male vocal, unrequited love, slow", "lyricThemes", ["Longing"]],
    ["darker and moodier", "moods", ["Dark", "Brooding"]],
    ["slow but still driving", "movements", ["Driving"]],
    ["even groovier house", "movements", []],
    ["a young female voice", "vocalTypes", ["Female Vocals"]],
    ["must clear quickly", "characters", []],
  ] as const)("a word is read with its neighbours: %s", (query, category, names) => {
    expect(namesIn(read(query).wanted, category)).toEqual([...names]);
  });

  test("a scene gives the mood if the brief names none, and counts less", () => {
    const scene = read("car chase through the old town").wanted;
    expect(scene.map(({ source, weight }) => [source, weight])).toEqual([
      ["situation", 0.4],
      ["situation", 0.4],
    ]);
    expect(namesIn(scene, "moods")).toEqual(["Urgent"]);
    expect(namesIn(read("car chase, but playful").wanted, "moods")).toEqual(["Playful"]);
  });

  test.each([
    ["sad", 0.8],
    ["very sad", 1],
    ["slightly sad", 0.5],
    ["maybe a bit sad", 0.5],
    ["must be sad", 1],
    ["sad if possible", 0.5],
  ])("the wish in “%s” weighs %f", (query, weight) => {
    expect(read(query).wanted[0]?.weight).toBe(weight);
  });
});

describe("references", () => {
  test.each([
    ["in the vein of khruangbin", ["Khruangbin"]],
    ["think Portishead meets Hans Zimmer", ["Portishead", "Hans Zimmer"]],
    ["for fans of Bon Iver, The National and Lumen Vale", ["Bon Iver", "The National", "Lumen Vale"]],
    ["Something Neil Young-ish", ["Neil Young"]],
    ["à la Ennio Morricone", ["Ennio Morricone"]],
    ["we can't afford Coldplay", ["Coldplay"]],
    ["reminiscent of early Lumen Vale", ["Lumen Vale"]],
    ["Think Ocean's Eleven. Funky bass", []],
    ["like a storm", []],
    ["like Paris in spring", []],
    ["like Christmas morning", []],
    ["nothing like Radiohead", []],
    ["the queen of the castle, an oasis of calm", []],
  ])("a reference is read from: %s", (query, names) => {
    expect(read(query).references.map(({ name }) => name)).toEqual(names);
  });

  test("a known artist is resolved and adds a genre; an unknown one is only named", () => {
    const known = read("something like Khruangbin");
    expect(known.references).toEqual([{ name: "Khruangbin", resolved: true }]);
    expect(known.wanted.map(({ source }) => source)).toEqual(["artist"]);
    expect(namesIn(known.wanted, "genres")).toEqual([]);
    expect(read("something like Lumen Vale").references).toEqual([{ name: "Lumen Vale", resolved: false }]);
  });

  test("the library's own artist is resolved in any case", () => {
    const context = {
      findArtist: (name: string) => (name.toLowerCase() === "lumen vale" ? "Lumen Vale" : undefined),
    };
    expect(parseBrief("like lumen vale but darker", context).references).toEqual([
      { name: "Lumen Vale", resolved: true },
    ]);
  });
});

describe("typing slips and other languages", () => {
  test.each([
    ["melancoly paino", ["Melancholic"], ["Piano"]],
    ["hapy ukelele", ["Happy"], ["Ukulele"]],
    ["dremay synht pads", ["Dreamy"], ["Synth Pad"]],
    ["epci stirngs", ["Epic"], ["Strings"]],
    ["the horse in the county", [], []],
  ])("%s", (query, moods, instruments) => {
    const { wanted } = read(query);
    expect([namesIn(wanted, "moods"), namesIn(wanted, "instruments")]).toEqual([moods, instruments]);
  });

  test.each([
    ["Musique calme au piano, sans voix, environ 70 bpm", ["Calm"], ["Piano"], [65, 75]],
    ["Música triste con guitarra acústica, sin voces, 90 bpm", ["Sad"], ["Acoustic Guitar"], [90, 90]],
    ["Düstere Musik mit Streichern, ohne Gesang, 80 bpm", ["Dark"], ["Strings"], [80, 80]],
    ["Musica allegra con chitarra, senza voce, 120 bpm", ["Happy"], ["Guitar"], [120, 120]],
    ["Música alegre com violão, sem vocais, 100 bpm", ["Happy"], ["Acoustic Guitar"], [100, 100]],
  ])("%s", (query, moods, instruments, bpmRange) => {
    const brief = read(query);
    expect(namesIn(brief.wanted, "moods")).toEqual(moods);
    expect(namesIn(brief.wanted, "instruments")).toEqual(instruments);
    expect(brief).toMatchObject({ bpmRange: bpmRange as [number, number], vocalPreference: "instrumental" });
  });

  test("words of an English brief are read as English, whatever they mean in other languages", () => {
    expect(namesIn(read("sin and redemption, a con artist, die hard fans").unwanted, "moods")).toEqual([]);
    expect(read("no song in French").language).toBeNull();
  });
});

test.each([
  "(",
  ",",
  "no ",
  "like The ",
  "120-",
  "1 ",
  '"',
  "and ",
  "is too ",
  "half time ",
  "a minute and ",
  "no:",
  "avoid a, ",
  "A ",
  "é",
])("two thousand characters of %p are read like other text", (piece) => {
  const brief = read(piece.repeat(2000 / piece.length));
  expect(brief.wanted.length).toBeLessThan(5);
});
