import type { FactName } from "../../../../kernel/facts.ts";

/**
 * Where the rows of a fact are: statements over the account `?1` that give `seq` and `amount`, with `at` and the names `who`
 * and `also` where the fact has them. Tracks in the bin have no row.
 */
export type FactSource = {
  /** How often it is so, or the value. */
  amounts: string;
  /** The same, a row for each time; left out: `amounts` has the times. */
  times?: string;
  /** The same with names; left out: `times` has them. */
  names?: string;
};

/** Tracks of the account that meet a condition. */
const tracksWhere = (condition: string, joined = "") =>
  `SELECT t.seq, 1 AS amount FROM track_rows o CROSS JOIN tracks t ON t.seq = o.seq ${joined} WHERE o.owner_id = ?1 AND ${condition}`;

const written = (column: string): FactSource => ({
  amounts: tracksWhere(`trim(coalesce(${column}, ''), char(9, 10, 13, 32)) <> ''`),
});

/** Tracks whose rights say something. */
const rightsWhere = (condition: string): FactSource => ({
  amounts: tracksWhere(condition, "CROSS JOIN track_rights r ON r.track_id = t.id"),
});

/** Values of the active version's file. */
const ofFile = (value: string): FactSource => ({
  amounts: `SELECT t.seq, ${value} AS amount FROM track_rows o CROSS JOIN tracks t ON t.seq = o.seq
    CROSS JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id
    WHERE o.owner_id = ?1 AND ${value} IS NOT NULL`,
});

const fileWhere = (condition: string): FactSource => ({
  amounts: `SELECT t.seq, 1 AS amount FROM track_rows o CROSS JOIN tracks t ON t.seq = o.seq
    CROSS JOIN versions v ON v.id = t.active_version_id LEFT JOIN analyses a ON a.version_id = v.id
    WHERE o.owner_id = ?1 AND ${condition}`,
});

const metreIs = (metre: string): FactSource => fileWhere(`a.structure ->> 'metre' = '${metre}'`);

const HEARD_WHOLE: FactSource = {
  amounts: `SELECT o.seq, 1 AS amount FROM track_rows o CROSS JOIN heard_places h ON h.track_id = o.id
    WHERE o.owner_id = ?1 AND h.step_sec > 0`,
};

/** A condition of analyses that have such a section, `s`. */
const sectionWhere = (condition: string): string =>
  `EXISTS (SELECT 1 FROM json_each(a.structure, '$.sections') s WHERE ${condition})`;
const IS_DROP = "s.value ->> 'kind' = 'chorus-like'";

/** What happened to tracks, by whom the link that led there was for. */
const activity = (metric: string): string =>
  `SELECT o.seq, 1 AS amount, x.at, coalesce(h.recipient, x.actor_name) AS who, h.recipient_email AS also
   FROM activity_series s CROSS JOIN activity x ON x.series_ref = s.ref AND x.left_out IS NULL
   CROSS JOIN activity_entities e ON e.ref = x.entity_ref CROSS JOIN track_rows o ON o.id = e.entity_id
   LEFT JOIN shares h ON h.id = x.share_id
   WHERE s.owner_id = ?1 AND s.entity = 'track' AND s.metric = '${metric}' AND o.owner_id = ?1`;

/** The same to lists, which is so of each track on them. */
const activityOfLists = (metric: string): string =>
  `SELECT o.seq, 1 AS amount, x.at, coalesce(h.recipient, x.actor_name) AS who, h.recipient_email AS also
   FROM activity_series s CROSS JOIN activity x ON x.series_ref = s.ref AND x.left_out IS NULL
   CROSS JOIN activity_entities e ON e.ref = x.entity_ref CROSS JOIN playlist_tracks p ON p.playlist_id = e.entity_id
   CROSS JOIN track_rows o ON o.id = p.track_id LEFT JOIN shares h ON h.id = x.share_id
   WHERE s.owner_id = ?1 AND s.entity = 'playlist' AND s.metric = '${metric}' AND o.owner_id = ?1`;

const counted = (metric: string): FactSource => ({
  amounts: `SELECT o.seq, c.count AS amount
    FROM activity_series s CROSS JOIN activity_counts c ON c.series_ref = s.ref AND c.period = 0
    CROSS JOIN activity_entities e ON e.ref = c.entity_ref CROSS JOIN track_rows o ON o.id = e.entity_id
    WHERE s.owner_id = ?1 AND s.entity = 'track' AND s.metric = '${metric}' AND o.owner_id = ?1`,
  times: activity(metric),
});

const listed = (kind: string): FactSource => ({
  amounts: `SELECT o.seq, 1 AS amount, i.added_at AS at, p.name AS who, NULL AS also
    FROM playlists p CROSS JOIN playlist_tracks i ON i.playlist_id = p.id CROSS JOIN track_rows o ON o.id = i.track_id
    WHERE p.owner_id = ?1 AND p.kind = '${kind}' AND p.deleted_at IS NULL AND o.owner_id = ?1`,
});

const answered = (answer: string): FactSource => ({
  amounts: `SELECT o.seq, 1 AS amount, w.at, h.recipient AS who, h.recipient_email AS also
    FROM shares h CROSS JOIN share_answers w ON w.share_id = h.id CROSS JOIN track_rows o ON o.id = w.track_id
    WHERE h.owner_id = ?1 AND w.answer = '${answer}' AND o.owner_id = ?1`,
});

const commentsWhere = (condition: string): FactSource => ({
  amounts: `SELECT o.seq, 1 AS amount, c.created_at AS at, c.author_name AS who, NULL AS also
    FROM track_rows o CROSS JOIN comments c ON c.track_id = o.id
    WHERE o.owner_id = ?1 AND c.deleted_at IS NULL AND ${condition}`,
});

/** Reviews of the version that counts. */
const reviewed = (state: string): FactSource => ({
  amounts: `SELECT o.seq, 1 AS amount, w.at, w.name AS who, p.email AS also
    FROM track_rows o CROSS JOIN tracks t ON t.seq = o.seq CROSS JOIN reviews w ON w.version_id = t.active_version_id
    LEFT JOIN people p ON p.id = w.person_id WHERE o.owner_id = ?1 AND w.state = '${state}'`,
});

/** The rows of each fact. */
export const FACT_SOURCES: Readonly<Record<FactName, FactSource>> = {
  cover: { amounts: tracksWhere("t.cover IS NOT NULL") },
  notes: written("t.notes"),
  album: written("t.album"),
  artist: written("t.artist"),
  lyrics: written("t.lyrics"),
  timedLyrics: {
    amounts: tracksWhere("true", "CROSS JOIN timed_lyrics l ON l.version_id = t.active_version_id"),
  },
  isrc: written("t.isrc"),
  year: written("t.year"),
  recordLabel: written("t.record_label"),
  iswc: rightsWhere("r.iswc IS NOT NULL"),
  barcode: rightsWhere("r.upc IS NOT NULL"),
  releaseDate: rightsWhere("r.release_date IS NOT NULL"),
  copyrightLine: rightsWhere("(r.p_line IS NOT NULL OR r.c_line IS NOT NULL)"),
  explicit: rightsWhere("r.explicit = 'yes'"),
  madeWithAi: rightsWhere(
    "EXISTS (SELECT 1 FROM json_each(r.ai_use) u WHERE u.value ->> 'extent' <> 'none')",
  ),
  splitsComplete: {
    amounts: `SELECT o.seq, 1 AS amount FROM track_rows o CROSS JOIN track_shareholders s ON s.track_id = o.id
      WHERE o.owner_id = ?1 GROUP BY o.seq HAVING abs(sum(s.share) - 100) < 0.01`,
  },
  lossless: fileWhere("a.lossless = 1"),
  cutShort: fileWhere("a.truncated = 1"),
  hidden: { amounts: "SELECT seq, 1 AS amount FROM track_rows o WHERE o.owner_id = ?1 AND o.visible = 0" },
  duplicate: {
    amounts: `SELECT o.seq, 1 AS amount FROM recordings r CROSS JOIN version_recordings x ON x.recording_id = r.id
      CROSS JOIN versions v ON v.id = x.version_id CROSS JOIN track_rows o ON o.id = v.track_id
      WHERE r.owner_id = ?1 AND o.owner_id = ?1 AND EXISTS
        (SELECT 1 FROM version_recordings y CROSS JOIN versions w ON w.id = y.version_id
         CROSS JOIN track_rows other ON other.id = w.track_id AND other.owner_id = ?1
         WHERE y.recording_id = r.id AND w.track_id <> v.track_id)`,
  },
  inSet: {
    amounts: `SELECT o.seq, 1 AS amount FROM track_rows o CROSS JOIN family_members m ON m.track_id = o.id WHERE o.owner_id = ?1`,
  },
  inFour: metreIs("4/4"),
  inThree: metreIs("3/4"),
  inSix: metreIs("6/8"),
  inFive: metreIs("5/4"),
  inSeven: metreIs("7/8"),
  swung: fileWhere("a.structure ->> 'swing' > 0.56"),
  shortIntro: fileWhere(
    `(a.structure ->> '$.sections[0].kind' <> 'intro' OR a.structure ->> '$.sections[0].endSec' <= 10)`,
  ),
  withBreak: fileWhere(sectionWhere("s.value ->> 'kind' = 'break'")),
  // The drop is where what is loudest sets in.
  earlyDrop: fileWhere(sectionWhere(`${IS_DROP} AND s.value ->> 'startSec' BETWEEN 5 AND 60`)),
  lateDrop: fileWhere(
    `${sectionWhere(IS_DROP)} AND NOT ${sectionWhere(`${IS_DROP} AND s.value ->> 'startSec' <= 60`)}`,
  ),
  wav: fileWhere("v.container = 'wav'"),
  aiff: fileWhere("v.container = 'aiff'"),
  flac: fileWhere("v.container = 'flac'"),
  mp3: fileWhere("v.container = 'mp3'"),
  lufs: ofFile("a.integrated_lufs"),
  truePeak: ofFile("a.true_peak_dbtp"),
  loudnessRange: ofFile("a.range_lu"),
  sampleRate: ofFile("a.sample_rate_hz"),
  bitDepth: ofFile("a.bit_depth"),
  bitrate: ofFile("a.bitrate_bps"),
  channels: ofFile("a.channels"),
  size: ofFile("v.size_bytes"),
  // Tracks that were heard whole; facts/edges.ts says what each begins and ends with.
  beginsWith: HEARD_WHOLE,
  endsWith: HEARD_WHOLE,
  played: counted("plays"),
  downloaded: counted("downloads"),
  opened: { amounts: `${activity("views")} UNION ALL ${activityOfLists("views")}` },
  saved: {
    amounts: `SELECT o.seq, 1 AS amount, s.created_at AS at FROM saves s CROSS JOIN track_rows o ON o.id = s.entity_id
      WHERE s.account_id = ?1 AND s.entity = 'track' AND o.owner_id = ?1`,
  },
  sent: {
    amounts: `SELECT o.seq, 1 AS amount, h.created_at AS at, h.recipient AS who, h.recipient_email AS also
      FROM shares h CROSS JOIN track_rows o ON o.id = h.entity_id
      WHERE h.owner_id = ?1 AND h.entity = 'track' AND o.owner_id = ?1
      UNION ALL SELECT o.seq, 1, h.created_at, h.recipient, h.recipient_email
      FROM shares h CROSS JOIN playlist_tracks p ON p.playlist_id = h.entity_id CROSS JOIN track_rows o ON o.id = p.track_id
      WHERE h.owner_id = ?1 AND h.entity = 'playlist' AND o.owner_id = ?1`,
  },
  interested: answered("interested"),
  passedOn: answered("pass"),
  delivered: {
    amounts: `SELECT o.seq, 1 AS amount, d.made_at AS at, d.recipient AS who, NULL AS also
      FROM delivery_packages d CROSS JOIN json_each(d.settings, '$.versions') i CROSS JOIN track_rows o ON o.id = i.value ->> 0
      WHERE d.owner_id = ?1 AND o.owner_id = ?1`,
  },
  submitted: {
    amounts: `SELECT o.seq, 1 AS amount, s.created_at AS at, s.submitter_name AS who, s.submitter_email AS also
      FROM briefs b CROSS JOIN brief_submissions s ON s.brief_id = b.id CROSS JOIN track_rows o ON o.id = s.track_id
      WHERE b.owner_id = ?1 AND o.owner_id = ?1`,
  },
  commented: commentsWhere("true"),
  openComments: commentsWhere("c.parent_id IS NULL AND c.resolved_at IS NULL"),
  approved: reviewed("approved"),
  changesAsked: reviewed("changes"),
  written: {
    amounts: `SELECT o.seq, 1 AS amount, s.created_at AS at, c.full_name AS who, c.artist_name AS also
      FROM composers c CROSS JOIN track_shareholders s ON s.composer_id = c.id CROSS JOIN track_rows o ON o.id = s.track_id
      WHERE c.owner_id = ?1 AND o.owner_id = ?1`,
  },
  uploaded: {
    amounts: `SELECT o.seq, 1 AS amount, o.created_at AS at, p.name AS who, p.email AS also
      FROM track_rows o CROSS JOIN versions v ON v.track_id = o.id AND v.version_order = 0
      LEFT JOIN people p ON p.id = v.made_by WHERE o.owner_id = ?1`,
  },
  changed: {
    amounts: "SELECT o.seq, 1 AS amount, o.updated_at AS at FROM track_rows o WHERE o.owner_id = ?1",
    names: `SELECT o.seq, 1 AS amount, e.at, p.name AS who, p.email AS also
      FROM track_rows o CROSS JOIN track_edits e ON e.track_id = o.id LEFT JOIN people p ON p.id = e.person_id
      WHERE o.owner_id = ?1`,
  },
  versions: {
    amounts: "SELECT o.seq, o.versions AS amount FROM track_rows o WHERE o.owner_id = ?1",
    // The first version came in with its track.
    times: `SELECT o.seq, 1 AS amount, v.created_at AS at, p.name AS who, p.email AS also
      FROM track_rows o CROSS JOIN versions v ON v.track_id = o.id AND v.version_order > 0
      LEFT JOIN people p ON p.id = v.made_by WHERE o.owner_id = ?1`,
  },
  playlists: listed("playlist"),
  albums: listed("album"),
};
