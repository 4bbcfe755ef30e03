import { describe, expect, test } from "bun:test";
import { namesIn } from "../../src/brief/interpretation.ts";
import { parseBrief } from "../../src/brief/read.ts";

const read = (query: string) => parseBrief(query, { findArtist: () => undefined });

/** Numbers that are built in different ways, with the language's words for beats per minute left as "bpm". */
const SPELLED: Readonly<Record<string, readonly [words: string, value: number][]>> = {
  English: [
    ["a hundred and twenty", 120],
    ["one hundred twenty-eight", 128],
    ["ninety", 90],
    ["seventy-two", 72],
    ["one twenty-eight", 128],
    ["one oh five", 105],
    ["a buck forty", 140],
    ["two hundred and ninety-nine", 299],
  ],
  German: [
    ["hundertzwanzig", 120],
    ["einhundertachtundzwanzig", 128],
    ["fünfundneunzig", 95],
    ["hundert und fünf", 105],
    ["zweihundertneunundneunzig", 299],
  ],
  French: [
    ["cent vingt", 120],
    ["quatre-vingt-dix-sept", 97],
    ["soixante et onze", 71],
    ["quatre-vingts", 80],
    ["septante-cinq", 75],
    ["deux cent quatre-vingt-dix-neuf", 299],
  ],
  Italian: [
    ["centoventi", 120],
    ["centoventotto", 128],
    ["novantatré", 93],
    ["cento e dieci", 110],
    ["duecentonovantanove", 299],
  ],
  Spanish: [
    ["ciento veinte", 120],
    ["noventa y cinco", 95],
    ["ciento veintidós", 122],
    ["cien", 100],
    ["doscientos noventa y nueve", 299],
  ],
  Portuguese: [
    ["cento e vinte", 120],
    ["noventa e cinco", 95],
    ["cem", 100],
    ["cento e trinta e dois", 132],
    ["duzentos e noventa e nove", 299],
  ],
  Dutch: [
    ["honderdtwintig", 120],
    ["vijfennegentig", 95],
    ["honderd tweeëntwintig", 122],
    ["honderdenvijf", 105],
    ["tweehonderdnegenennegentig", 299],
  ],
  Polish: [
    ["sto dwadzieścia", 120],
    ["dziewięćdziesięciu pięciu", 95],
    ["dwieście dziewięćdziesiąt dziewięć", 299],
  ],
  Russian: [
    ["сто двадцать", 120],
    ["девяноста пяти", 95],
    ["двести девяносто девять", 299],
  ],
};

describe("numbers in words", () => {
  const all = Object.entries(SPELLED).flatMap(([language, each]) =>
    each.map(([words, value]) => [language, words, value] as const),
  );
  test.each(all)("the number in “%s” is %s bpm", (_, words, value) => {
    expect(read(`${words} bpm`).bpmRange).toEqual([value, value]);
  });

  test.each([
    ["house around one twenty", [115, 125]],
    ["techno, hundertzwanzig", [120, 120]],
    ["between ninety and a hundred and ten bpm", [90, 110]],
    ["between a hundred and one twenty bpm", [100, 120]],
    ["somewhere from one ten to one eighteen bpm", [110, 118]],
    ["zwischen neunzig und hundertzehn bpm", [90, 110]],
    ["entre cento e dez e cento e vinte bpm", [110, 120]],
    ["127,5 bpm", [127.5, 127.5]],
    ["house in the low one-twenties", [120, 124]],
    ["120 bpm give or take 5", [115, 125]],
  ])("numbers in words are a tempo: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each([
    ["Two hundred"],
    ["two hundred"],
    ["“Two hundred”"],
    ["One hundred and twenty"],
    ["a hundred and fifty"],
    ["hundertzwanzig"],
    ["Zweihundert"],
    ["deux cents"],
    ["The Two Hundred"],
  ])("numbers in words alone are a name: %s", (query) => {
    expect(read(query).bpmRange).toBeNull();
  });

  test.each([
    ["two thirty-second spots", [30, 30]],
    ["two minutes thirty", [150, 150]],
    ["a minute twenty", [80, 80]],
    ["forty-five seconds", [45, 45]],
    ["zweieinhalb Minuten", [150, 150]],
    ["anderthalb Minuten", [90, 90]],
    ["une minute et demie", [90, 90]],
    ["dos minutos y medio", [150, 150]],
    ["un minuto e mezzo", [90, 90]],
    ["dois minutos e meio", [150, 150]],
    ["halve minuut", [30, 30]],
    ["anderhalve minuut", [90, 90]],
    ["trois minutes vingt", [200, 200]],
    ["3'30", [210, 210]],
    ["jazz, 2 min 30", [150, 150]],
    ["2,5 Minuten", [150, 150]],
    ["two and a quarter minutes", [135, 135]],
    ["ein paar Minuten", [120, 120]],
    ["three quarters of a minute", [45, 45]],
    ["eine dreiminütige Ballade", [180, 180]],
    ["ein 30-sekündiger Spot", [30, 30]],
    ["2 minuti e 30 secondi", [150, 150]],
    ["une trentaine de secondes", [27, 33]],
    ["een dertigtal seconden", [27, 33]],
  ])("numbers in words are a length: %s", (query, range) => {
    expect(read(query)).toMatchObject({ bpmRange: null, durationRange: range as [number, number] });
  });

  test.each([
    "nineties house",
    "one or two guitars",
    "late eighties pop",
    "songs like Twenty One Pilots",
    "one hundred guitars",
    "années soixante-dix",
    "lyrics about one love",
    "más de cien músicos, épico",
    "über achtzig Sänger, feierlich",
    "ponad stu muzyków, orkiestra",
  ])("numbers in words measure nothing: %s", (query) => {
    expect(read(query)).toMatchObject({ bpmRange: null, durationRange: null });
  });
});

describe("limits and ranges", () => {
  test.each([
    ["Techno, mehr als 140", [140, 300]],
    ["unter 100 bpm", [1, 100]],
    ["mindestens 130 bpm", [130, 300]],
    ["Techno mit maximal 140 bpm", [1, 140]],
    ["120 bpm oder mehr", [120, 300]],
    ["um die 120 bpm", [115, 125]],
    ["von 100 bis 110 bpm", [100, 110]],
    ["house entre 100 et 120", [100, 120]],
    ["au moins cent vingt bpm", [120, 300]],
    ["autour de 90 bpm", [85, 95]],
    ["musica tra 90 e 110 bpm", [90, 110]],
    ["almeno cento bpm", [100, 300]],
    ["sui 100 bpm", [95, 105]],
    ["por encima de 130 bpm", [130, 300]],
    ["acima de 120 bpm", [120, 300]],
    ["por volta de 100 bpm", [95, 105]],
    ["techno meer dan 130", [130, 300]],
    ["tussen 90 en 100 bpm", [90, 100]],
    ["minstens honderd bpm", [100, 300]],
    ["at least 100 but under 120 bpm", [100, 120]],
    ["boom bap in the high eighties", [86, 89]],
    ["keep it south of ninety bpm", [1, 90]],
    ["not a beat over 128", [1, 128]],
    ["A tempo of one hundred and five, please", [105, 105]],
    ["pas au-dessus de cent bpm", [1, 100]],
    ["non oltre i 100 bpm", [1, 100]],
    ["zo'n negentig bpm", [85, 95]],
    ["una traccia techno tra i 128 e i 135 bpm", [128, 135]],
    ["any footwork near 160?", [155, 165]],
    ["punk, 180 or faster, loud", [180, 300]],
    ["polka, one-twenty plus!", [120, 300]],
    ["Trance, 132 bis 138, hell", [132, 138]],
    ["no tempo above one hundred please", [1, 100]],
  ])("a limit of tempo is read: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each([
    ["at least 3 but no longer than 4", [180, 240]],
    ["at least 3 but no longer than 4 minutes", [180, 240]],
    ["at least 3 minutes but no longer than 4", [180, 240]],
    ["no less than 2 minutes, no more than 3", [120, 180]],
    ["between a minute and ninety seconds", [60, 90]],
    ["d'une durée de trois minutes maximum", [0, 180]],
    ["dura no máximo 2 minutos", [0, 120]],
    ["mindestens anderthalb Minuten, höchstens zwei", [90, 120]],
    ["in two and a half minutes or less", [0, 150]],
    ["mindestens 3, aber höchstens 4 Minuten", [180, 240]],
    ["al menos dos pero no más de tres minutos", [120, 180]],
    ["nothing shorter than 2 minutes", [120, 86_400]],
    ["80-ish seconds", [72, 88]],
    ["roughly ninety seconds", [81, 99]],
    ["piano, moins de 2 minutes", [0, 120]],
    ["pas plus long que 3 minutes", [0, 180]],
    ["non più di 3 minuti", [0, 180]],
    ["no más de dos minutos", [0, 120]],
    ["não mais do que 2 minutos", [0, 120]],
    ["niet langer dan 3 minuten", [0, 180]],
    ["knapp zwei Minuten", [108, 120]],
    ["zwischen zwei und drei Minuten", [120, 180]],
    ["tra due e tre minuti", [120, 180]],
    ["tussen twee en drie minuten", [120, 180]],
    ["nie dłużej niż trzy minuty", [0, 180]],
    ["co najmniej półtorej minuty", [90, 86_400]],
    ["не дольше трёх минут", [0, 180]],
    ["примерно две с половиной минуты", [135, 165]],
    ["Klavier, zwei, drei Minuten", [120, 180]],
    ["quatre, cinq minutes, jazz", [240, 300]],
    ["take 2, 3 minutes, jazz", [180, 180]],
  ])("a limit of length is read: %s", (query, range) => {
    expect(read(query)).toMatchObject({ bpmRange: null, durationRange: range as [number, number] });
  });

  test.each([
    ["no slower than 140", [140, 300]],
    ["techno no slower than 140 please", [140, 300]],
    ["no faster than 90", [1, 90]],
    ["nicht langsamer als 120", [120, 300]],
    ["pas plus rapide que 90 bpm", [1, 90]],
    ["più veloce di 120 bpm", [120, 300]],
    ["niet sneller dan 100", [1, 100]],
  ])("a limit says nothing else: %s", (query, range) => {
    const brief = read(query);

    expect(brief.bpmRange).toEqual(range as [number, number]);
    expect(namesIn(brief.wanted, "tempos")).toEqual([]);
    expect(brief.unwanted).toEqual([]);
  });
});

describe("a correction in mid-sentence", () => {
  test.each([
    ["100 to 110, actually make it 120", [120, 120]],
    ["100 to 110 bpm, actually make it 120", [120, 120]],
    ["at 120 bpm... wait no, 125 bpm", [125, 125]],
    ["90 bpm, sorry, 95", [95, 95]],
    ["100 bis 110 bpm, nein, lieber 120", [120, 120]],
    ["120 bpm, anzi 125", [125, 125]],
    ["100 bpm, mejor dicho 110", [110, 110]],
  ])("a correction of tempo is read: %s", (query, range) => {
    expect(read(query).bpmRange).toEqual(range as [number, number]);
  });

  test.each([
    ["2 minutes, scratch that, make it 90 seconds", [90, 90]],
    ["two to three minutes, actually make it four", [240, 240]],
    ["deux minutes, non, plutôt trois", [180, 180]],
  ])("a correction of length is read: %s", (query, range) => {
    expect(read(query).durationRange).toEqual(range as [number, number]);
  });

  test.each([
    ["piano, no wait, guitar", "instruments", ["Guitar"]],
    ["violin, actually cello", "instruments", ["Cello"]],
    ["sad, or rather hopeful", "moods", ["Hopeful"]],
    ["techno, scratch that, house", "genres", ["House"]],
    ["dark techno, actually house", "moods", ["Dark"]],
    ["piano rather than guitar, sorry", "instruments", ["Piano"]],
  ] as const)("a correction of anything else is read: %s", (query, category, names) => {
    const brief = read(query);

    expect(namesIn(brief.wanted, category)).toEqual([...names]);
  });
});

test.each([
  [":15 and :30 in sixty seconds", [60, 60]],
  ["stings at :10 and :20 in half a minute", [30, 30]],
  ["hits at 0:15, 0:30 and 0:45 in a one-minute spot", [60, 60]],
  ["sixty seconds with hits at :15 and :30", [60, 60]],
  ["the drop at 0:45, 90 seconds long", [90, 90]],
  ["between 2:30 and 3:00", [150, 180]],
])("places in a piece are not its length: %s", (query, range) => {
  expect(read(query).durationRange).toEqual(range as [number, number]);
});

describe("a tempo in other words than numbers", () => {
  test.each([
    ["at a walking pace", ["Medium Slow"]],
    ["a jogging pace", ["Medium Fast"]],
    ["fairly slow", ["Medium Slow"]],
    ["Allegro moderato", ["Medium Fast"]],
    ["langsames Klavier", ["Slow"]],
    ["schneller Techno", ["Fast"]],
    ["mittleres Tempo", ["Medium"]],
    ["piano lent", ["Slow"]],
    ["tempo modéré", ["Medium"]],
    ["très rapide", ["Very Fast"]],
    ["ritmo veloce", ["Fast"]],
    ["molto lento", ["Very Slow"]],
    ["ritmo acelerado", ["Fast"]],
    ["una canción lenta", ["Slow"]],
    ["música devagar", ["Slow"]],
    ["andamento médio", ["Medium"]],
    ["snelle house", ["Fast"]],
    ["heel langzaam", ["Very Slow"]],
  ])("a tempo class is read from: %s", (query, names) => {
    expect(namesIn(read(query).wanted, "tempos")).toEqual(names);
  });

  test.each(["a track lent by a friend", "a language course video", "a triage scene in a hospital"])(
    "is not read from: %s",
    (query) => {
      expect(namesIn(read(query).wanted, "tempos")).toEqual([]);
    },
  );
});
