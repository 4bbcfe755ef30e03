import type { Database } from "bun:sqlite";
import { transact } from "../../db/client.ts";
import { TAXONOMY, type TaxonomyCategory } from "../../db/taxonomy.ts";
import { DESCRIPTOR_DIMENSIONS } from "../../src/audio/analyzer.ts";
import { PASSAGE_VERSION } from "../../src/audio/descriptors/passages.ts";
import { FAULTS_VERSION } from "../../src/audio/faults/version.ts";
import type { Structure } from "../../src/audio/structure/structure.ts";
import { type Random, randomFrom } from "../../src/demo/dsp/random.ts";
import type { Deps } from "../../src/kernel/deps.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { fillSome, requestSounds } from "../../src/modules/library/sounds/service.ts";
import { type MadeTrack, near, randomUnit, rowWriter, type TagName } from "../search-rows.ts";
import { pick } from "./library.ts";

/** What tracks of one kind have in common. */
type Style = { tags: TagName[]; bpm: number; centre: Float32Array };

const STYLES = 80;
const ARTISTS = 2000;
const KEYS = ["A minor", "C major", "F# minor", "Eb major", "G major", "D minor", "B minor", "Ab major"];
const SYLLABLES = "ka lo mi ren sol tu va bel dor fin gar hus jo nel pra qui ros ste tor win".split(" ");
/** Words per text. As in real texts, each word is in one of several hundred tracks. */
const WORDS_A_TEXT = 30;
const WITH_LYRICS = 0.2;
const WITH_TAG = 0.8;
/** Distance of a style's tracks from its centre. */
const SPREAD = 0.75;

/** What the triggers of tracks and tags write into the console's table, where titles are looked up too. */
const TABLE_ROWS = `INSERT OR IGNORE INTO track_rows
    (seq, id, owner_id, created_at, title, artist, words, bpm, key, duration_sec, status, tag, tags, updated_at)
  SELECT seq, id, owner_id, created_at, coalesce(title_fold, name_fold), artist_fold,
    concat_ws(char(10), name_fold, title_fold, artist_fold), bpm, key, duration_sec, analysis_status,
    (SELECT name_fold FROM track_tags g WHERE g.track_id = tracks.id AND category IN ('genres', 'moods')
     ORDER BY category, position LIMIT 1),
    (SELECT count(*) FROM track_tags g WHERE g.track_id = tracks.id), created_at
  FROM tracks`;

// Nobody has to look for faults, structures and passages in sounds that do not exist: a server would go through all of them.
const CHECKED = `INSERT INTO readiness_results (version_id, rules, measured, at)
  SELECT version_id, ?, '{}', 0 FROM analyses`;
const PASSAGES = `INSERT INTO track_passages (track_id, version, vectors)
  SELECT track_id, ?, x'' FROM track_vectors WHERE provider = 'descriptors'`;
const STRUCTURES = "UPDATE analyses SET structure = ?";
const STRUCTURE: Structure = {
  alternativeBpm: null,
  metre: "4/4",
  metreConfidence: 0.9,
  downbeats: [0.5, 2.5, 4.5],
  swing: 0.5,
  sections: [],
};

/** Every other six tracks are a set. */
const FAMILIES = [
  `INSERT INTO families (id, owner_id, main_track_id, created_at)
   SELECT 'fam_' || seq, owner_id, id, 0 FROM tracks WHERE seq % 12 = 0`,
  `INSERT INTO family_members (track_id, family_id, kind, edit_sec, joined_by, joined_at)
   SELECT t.id, f.id,
     CASE t.seq % 12 WHEN 1 THEN 'instrumental' WHEN 4 THEN 'stem' WHEN 5 THEN 'acapella' ELSE 'main' END,
     CASE t.seq % 12 WHEN 2 THEN 60 WHEN 3 THEN 30 END, 'owner', 0
   FROM tracks t JOIN families f ON f.id = 'fam_' || (t.seq - t.seq % 12) WHERE t.seq % 12 < 6`,
];

/**
 * Adds analysed tracks of about eighty styles to an account, rows only, as fast as SQLite allows: what triggers would
 * write is written in one statement for each table.
 */
export function addSearchLibrary(
  { db, now }: Pick<Deps, "db" | "now">,
  ownerId: string,
  count: number,
): void {
  const client = db.$client;
  const random = randomFrom("search bench");
  const styles = Array.from({ length: STYLES }, () => styleOf(random));
  client.run("PRAGMA foreign_keys = OFF");
  client
    .transaction(() => {
      const triggers = dropTriggers(client);
      const write = rowWriter(client);
      for (let index = 0; index < count; index++)
        write(trackOf(ownerId, now() - index * MINUTE_MS, pick(styles, random), random));
      client.run(
        "INSERT OR IGNORE INTO search_changes (seq, owner_id, revision) SELECT seq, owner_id, 0 FROM tracks",
      );
      client.run(TABLE_ROWS);
      for (const sql of FAMILIES) client.run(sql);
      client.query(CHECKED).run(FAULTS_VERSION);
      client.query(PASSAGES).run(PASSAGE_VERSION);
      client.query(STRUCTURES).run(JSON.stringify(STRUCTURE));
      for (const sql of triggers) client.run(sql);
    })
    .immediate();
  client.run("PRAGMA foreign_keys = ON");
  transact(db, (tx) => requestSounds(tx, ownerId, now()));
  while (fillSome(db));
}

/** Returns one more track like those of {@link addSearchLibrary}. */
export function oneMoreTrack(ownerId: string, createdAt: number, title: string): MadeTrack {
  const random = randomFrom(title);
  return { ...trackOf(ownerId, createdAt, styleOf(random), random), title };
}

function trackOf(ownerId: string, createdAt: number, style: Style, random: Random): MadeTrack {
  return {
    ownerId,
    createdAt,
    title: `${word(random)} ${word(random)}`,
    artist: `Artist ${Math.floor(random() * ARTISTS)}`,
    bpm: style.bpm * (0.95 + random() * 0.1),
    key: pick(KEYS, random),
    durationSec: 90 + random() * 240,
    energy: random(),
    lyrics:
      random() < WITH_LYRICS ? Array.from({ length: WORDS_A_TEXT }, () => word(random)).join(" ") : null,
    tags: style.tags.filter(() => random() < WITH_TAG),
    vector: near(style.centre, SPREAD, random),
  };
}

/** Returns one of about eight thousand words, a few of them far more common than the others. */
function word(random: Random): string {
  const place = () => SYLLABLES[Math.floor(random() ** 2 * SYLLABLES.length)] ?? "";
  return place() + place() + place();
}

/** Drops the triggers, which cost more than the rows. They are restored before the transaction ends. */
function dropTriggers(client: Database): string[] {
  const triggers = client
    .query<{ name: string; sql: string }, []>("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    .all();
  for (const { name } of triggers) client.run(`DROP TRIGGER ${name}`);
  return triggers.map(({ sql }) => sql);
}

function styleOf(random: Random): Style {
  const some = (category: TaxonomyCategory & TagName[0], count: number) =>
    Array.from({ length: count }, (): TagName => [category, pick(TAXONOMY[category], random).name]);
  return {
    tags: [...some("genres", 1), ...some("moods", 3), ...some("instruments", 3)],
    bpm: 70 + random() * 110,
    centre: randomUnit(DESCRIPTOR_DIMENSIONS, random),
  };
}
