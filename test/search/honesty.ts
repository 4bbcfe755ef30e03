import type { Db } from "../../db/client.ts";
import { isSameKey, parseKey } from "../../src/kernel/musical-key.ts";
import { fold } from "../../src/kernel/text.ts";
import { plainWords } from "../../src/modules/search/search/filters/words.ts";

/** The data of a track, read without the product's search. */
export type StoredTrack = {
  id: string;
  ownerId: string;
  title: string;
  /** The name of its file. */
  name: string;
  artist: string | null;
  bpm: number | null;
  key: string | null;
  durationSec: number | null;
  createdAt: number;
  loudness: number | null;
  versions: number;
  plays: number;
  language: string | null;
  energy: number | null;
  text: string;
  /** Tags by the nouns that reasons use. */
  tags: ReadonlySet<string>;
  suggested: ReadonlySet<string>;
  hasVocals: boolean | null;
  vector: readonly number[] | null;
};

/** What a reason may refer to besides the track. */
export type Asked = {
  seeds: readonly StoredTrack[];
  /** Tracks that the prose names. */
  named: readonly StoredTrack[];
  /** All tracks that comparatives compare with. */
  origin: readonly StoredTrack[];
  /** Titles of the results above. */
  above: readonly StoredTrack[];
  /** The account's tracks. */
  library: readonly StoredTrack[];
  /** Names of every tag that the prose asks for or excludes. */
  names: ReadonlySet<string>;
};

const NOUNS: Readonly<Record<string, string>> = {
  genres: "genre",
  moods: "mood",
  instruments: "instrument",
  vocals: "vocals",
  lyricThemes: "lyrics about",
  types: "type",
  eras: "era",
  characters: "character",
  movements: "movement",
};

type Row = Omit<StoredTrack, "text" | "tags" | "suggested" | "hasVocals" | "vector"> & {
  lyrics: string | null;
  notes: string | null;
  embedding: Uint8Array | null;
};

/** Reads a library as it is stored. */
export function readStored(db: Db): Map<string, StoredTrack> {
  const rows = db.$client
    .query<Row, []>(
      `SELECT t.id, t.owner_id AS ownerId, t.title, t.artist, t.bpm, t.key, t.duration_sec AS durationSec, t.language,
              t.created_at AS createdAt, a.integrated_lufs AS loudness, r.versions, r.plays,
              t.lyrics, t.notes, t.name, json_extract(a.features, '$.energy') AS energy, v.embedding
       FROM tracks t JOIN track_rows r ON r.seq = t.seq LEFT JOIN analyses a ON a.version_id = t.analysis_version_id
       LEFT JOIN track_vectors v ON v.track_id = t.id WHERE t.analysis_version_id IS NOT NULL`,
    )
    .all();
  return new Map(rows.map((row) => [row.id, storedOf(db, row)]));
}

function storedOf(db: Db, row: Row): StoredTrack {
  const tags = db.$client
    .query<{ category: string; name: string }, [string]>(
      "SELECT category, name FROM track_tags WHERE track_id = ?",
    )
    .all(row.id);
  const suggestions = db.$client
    .query<{ category: string; name: string }, [string]>(
      "SELECT category, name FROM tag_suggestions WHERE track_id = ?",
    )
    .all(row.id);
  const said = ({ category, name }: { category: string; name: string }) => `${NOUNS[category]} ${name}`;
  const free = tags.filter(({ category }) => category === "tags").map(({ name }) => name);
  return {
    ...row,
    text: plainWords([row.title, row.artist, row.lyrics, row.notes, row.name, ...free].join(" ")).join(" "),
    tags: new Set(tags.map(said)),
    suggested: new Set(suggestions.map(said)),
    hasVocals: voiceOf(tags, row.lyrics),
    vector: row.embedding ? [...new Float32Array(row.embedding.slice().buffer)] : null,
  };
}

function voiceOf(tags: readonly { category: string; name: string }[], lyrics: string | null): boolean | null {
  const vocals = tags.filter(({ category }) => category === "vocals");
  const instrumental = vocals.filter(({ name }) => name === "Instrumental");
  if (vocals.length > 0)
    return instrumental.length === 0 ? true : instrumental.length === vocals.length ? false : null;
  return (lyrics ?? "").trim() === "" ? null : true;
}

const seconds = (clock: string) => clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
/** "3 minutes" and "1:30" */
const lengthIn = (text: string) => (text.includes("minute") ? Number.parseInt(text, 10) * 60 : seconds(text));
const about = (a: number | null, b: number, off: number) => a !== null && Math.abs(a - b) <= off;

type Check = (track: StoredTrack, parts: readonly string[], asked: Asked) => boolean;

/** Every kind of reason, with a check that it is true. A reason that matches none is untrue. */
const CHECKS: readonly [RegExp, Check][] = [
  [
    /^([\d.]+) BPM, (as asked|inside|near|half of|double of) ?([\d.]+)?(?:-([\d.]+))?$/,
    (track, [bpm, how = "", low, high = low]) => {
      if (!about(track.bpm, Number(bpm), 0.051)) return false;
      return how === "as asked" || (track.bpm !== null && tempoIs(how, track.bpm, Number(low), Number(high)));
    },
  ],
  [
    /^([\d.]+) BPM, (half of|double of) (over|up to) ([\d.]+)$/,
    ({ bpm }, [shown, how, limit, end]) => {
      const counted = how === "half of" ? 2 * Number(shown) : Number(shown) / 2;
      const isWithin = limit === "over" ? counted >= 0.85 * Number(end) : counted <= 1.15 * Number(end);
      return about(bpm, Number(shown), 0.051) && isWithin;
    },
  ],
  [
    /^([\d.]+) BPM, (over|up to) ([\d.]+)$/,
    ({ bpm }, [shown, how, end]) =>
      about(bpm, Number(shown), 0.051) &&
      (how === "over" ? Number(shown) >= Number(end) - 0.051 : Number(shown) <= Number(end) + 0.051),
  ],
  [/^([\d:]+) long, as asked$/, ({ durationSec }, [shown = ""]) => about(durationSec, seconds(shown), 0.51)],
  [
    /^([\d:]+) long, (over|up to) (\d+ minutes?|[\d:]+)$/,
    ({ durationSec }, [shown = "", how, end = ""]) =>
      durationSec !== null &&
      about(durationSec, seconds(shown), 0.51) &&
      (how === "over" ? durationSec >= lengthIn(end) - 0.51 : durationSec <= lengthIn(end) + 0.51),
  ],
  [
    /^([\d:]+) long, (inside|near) (\d+ minutes?|[\d:]+)(?:-([\d:]+))?$/,
    ({ durationSec }, [shown = "", how, first = "", last = first]) => {
      const [low, high] = [lengthIn(first), lengthIn(last)];
      if (durationSec === null || !about(durationSec, seconds(shown), 0.51)) return false;
      const isInside = durationSec >= low - 0.51 && durationSec <= high + 0.51;
      return how === "inside" ? isInside : durationSec > low * 0.55 && durationSec < high * 1.45;
    },
  ],
  [
    /^measured energy ([\d.]+), close to ([\d.]+)$/,
    ({ energy }, [shown, asked]) => about(energy, Number(shown), 0.051) && about(energy, Number(asked), 0.36),
  ],
  [/^([\d.]+) BPM$/, ({ bpm }, [shown]) => about(bpm, Number(shown), 0.051)],
  [/^([\d:]+) long$/, ({ durationSec }, [shown = ""]) => about(durationSec, seconds(shown), 0.51)],
  [/^(-[\d.]+) LUFS$/, ({ loudness }, [shown]) => about(loudness, Number(shown), 0.051)],
  [/^measured energy ([\d.]+)$/, ({ energy }, [shown]) => about(energy, Number(shown), 0.0051)],
  [
    /^added on (.+)$/,
    ({ createdAt }, [shown = ""]) =>
      new Date(createdAt).toISOString().slice(0, 10) === new Date(`${shown} UTC`).toISOString().slice(0, 10),
  ],
  [/^not tagged yet$/, ({ tags }) => tags.size === 0],
  [/^tagged$/, ({ tags }) => tags.size > 0],
  [/^never played$/, ({ plays }) => plays === 0],
  [/^played before$/, ({ plays }) => plays > 0],
  [/^has (\d+) versions$/, ({ versions }, [shown]) => versions === Number(shown)],
  [
    /^its name says version (\d+)$/,
    ({ text }, [shown]) => new RegExp(`\\bv(?:er|ersion)? ?${shown}\\b`).test(text),
  ],
  [
    /^has (\w+) tags, but not (.+)$/,
    ({ tags }, [kind = "", name]) => {
      const noun = { vocal: "vocals", theme: "lyrics about" }[kind] ?? kind;
      return [...tags].some((tag) => tag.startsWith(`${noun} `)) && !tags.has(`${noun} ${name}`);
    },
  ],
  [/^has vocals$/, ({ hasVocals }) => hasVocals === true],
  [/^instrumental$/, ({ hasVocals }) => hasVocals === false],
  [/^sung in (.+)$/, ({ language }, [name]) => language === name],
  [
    /^in (.+), next to (.+) on the wheel$/,
    ({ key }, [shown, asked = ""]) =>
      key === shown && !isSameKey(parseKey(asked) ?? NO_KEY, parseKey(key ?? "") ?? NO_KEY),
  ],
  [
    /^in (.+), not in (.+)$/,
    ({ key }, [shown, others = ""], { origin }) =>
      key === shown && !origin.some((seed) => seed.key === key) && others.length > 0,
  ],
  [/^in (.+), the same key$/, ({ key }, [shown]) => key === shown],
  [/^in (.+)$/, ({ key, language }, [shown]) => key === shown || language === shown],
  [
    /^lowered: (suggested )?(.+) is not wanted$/,
    ({ tags, suggested }, [mark, tag = ""]) => (mark ? suggested : tags).has(tag),
  ],
  [
    /^(suggested )?((?:genre|mood|instrument|vocals|type|era|character|movement|lyrics about) .+), related to (.+)$/,
    ({ tags, suggested }, [mark, tag = "", asked = ""], { names }) =>
      (mark ? suggested : tags).has(tag) && names.has(asked),
  ],
  [
    /^(suggested )?((?:genre|mood|instrument|vocals|type|era|character|movement|lyrics about) .+)$/,
    ({ tags, suggested }, [mark, tag = ""]) => (mark ? suggested : tags).has(tag),
  ],
  [
    /^mentions (.+)$/,
    ({ text }, [list = ""]) =>
      list
        .slice(1, -1)
        .split("”, “")
        .every((term) => ` ${text} `.includes(` ${plainWords(term).join(" ")} `)),
  ],
  [
    /^sounds like a seed track$/,
    (track, _, { seeds, named }) => [...seeds, ...named].some((seed) => cosine(seed, track) >= 0.799),
  ],
  [
    /^the (title|artist|file name) (?:is “(.+)”|“(.+)” (?:has words of|is close to) the query)$/,
    ({ title, artist, name }, [kind, whole, part]) =>
      (kind === "title" ? title : kind === "artist" ? artist : name.replace(/\.wav$/, "")) ===
      (whole ?? part),
  ],
  [/^sounds like the library's tracks with such tags$/, ({ vector }) => vector !== null],
  [/^by its sound: .+$/, ({ vector }) => vector !== null],
  [
    /^sounds like (.+)$/,
    (track, [name = ""], { library, named }) =>
      cosine(meanOf(named), track) >= 0.799 || cosine(centreOf(library, name.split(" and ")), track) >= 0.799,
  ],
  [
    /^([\d.]+) BPM (slower|faster) than .+$/,
    ({ bpm }, [shown, word], { origin }) =>
      differs(bpm, mean(origin, "bpm"), word === "faster", Number(shown), 0.06),
  ],
  [
    /^([\d:]+) (shorter|longer) than .+$/,
    ({ durationSec }, [shown = "", word], { origin }) =>
      differs(durationSec, mean(origin, "durationSec"), word === "longer", seconds(shown), 0.51),
  ],
  [
    /^measured energy ([\d.]+), (calmer|livelier) than .+ with ([\d.]+)$/,
    ({ energy }, [shown, word, from], { origin }) =>
      about(energy, Number(shown), 0.0051) &&
      about(mean(origin, "energy"), Number(from), 0.0051) &&
      differs(energy, mean(origin, "energy"), word === "livelier"),
  ],
  [
    /^a version of “(.+)”, which is above$/,
    (track, [title], { above }) =>
      above.some((other) => other.title === title && fold(other.artist ?? "") === fold(track.artist ?? "")),
  ],
];

const NO_KEY = { pitch: -1, mode: null };

function tempoIs(how: string, bpm: number, low: number, high: number): boolean {
  const isNear = (value: number) => value >= low * 0.86 && value <= high * 1.14;
  if (how === "inside") return bpm >= low - 0.051 && bpm <= high + 0.051;
  return isNear(how === "near" ? bpm : how === "half of" ? bpm * 2 : bpm / 2);
}

/** Returns the mean of what is known of the tracks. */
function mean(tracks: readonly StoredTrack[], name: "bpm" | "durationSec" | "energy"): number {
  const values = tracks.flatMap((track) => track[name] ?? []);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function differs(value: number | null, from: number, isMore: boolean, by?: number, off = 0): boolean {
  if (value === null || value > from !== isMore) return false;
  return by === undefined || Math.abs(Math.abs(value - from) - by) <= off;
}

/** Returns the mean direction of the tracks by one of the artists. */
function centreOf(library: readonly StoredTrack[], artists: readonly string[]): Pick<StoredTrack, "vector"> {
  return meanOf(library.filter(({ artist }) => artists.some((each) => artist?.includes(each))));
}

function meanOf(named: readonly StoredTrack[]): Pick<StoredTrack, "vector"> {
  const units = named.flatMap(({ vector }) =>
    vector ? [vector.map((value) => value / Math.hypot(...vector))] : [],
  );
  return { vector: (units[0] ?? []).map((_, i) => units.reduce((sum, unit) => sum + (unit[i] ?? 0), 0)) };
}

function cosine({ vector: a }: Pick<StoredTrack, "vector">, { vector: b }: StoredTrack): number {
  if (!a || !b || a.length !== b.length) return -1;
  const dot = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return dot / (Math.hypot(...a) * Math.hypot(...b));
}

/** Returns whether a reason is true of a track; false for an unknown kind of reason. */
export function isTrue(reason: string, track: StoredTrack, asked: Asked): boolean {
  for (const [pattern, check] of CHECKS) {
    const match = pattern.exec(reason);
    if (match) return check(track, match.slice(1) as string[], asked);
  }
  return false;
}
