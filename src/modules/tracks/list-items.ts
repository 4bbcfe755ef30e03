import type { Db } from "../../../db/client.ts";
import { toIso } from "../../kernel/time.ts";
import type { ListField, ListProfile, TrackListItem } from "./model.ts";
import { type PageRow, selectPageTags } from "./queries.ts";

/**
 * Puts the rows of a page into the shape of the wire. This is the hot part of a list: literals, and nothing made
 * that is not sent.
 *
 * @param fields What the caller asked for; undefined: everything but `shareholders`, and `visible`.
 */
export function toListItems(
  db: Db,
  rows: readonly PageRow[],
  fields: readonly ListField[] | undefined,
): TrackListItem[] {
  if (!fields) {
    const profiles = toProfiles(db, rows);
    return rows.map((row, place) => toFullItem(row, profiles[place] ?? toProfile(row)));
  }
  const profiles = fields.includes("audio_profile") ? toProfiles(db, rows) : [];
  return rows.map((row, place) => {
    const item: TrackListItem = { id: row.id };
    for (const field of fields) FILL[field](item, row, profiles[place]);
    return item;
  });
}

function toFullItem(row: PageRow, profile: ListProfile): TrackListItem {
  return {
    id: row.id,
    name: row.name,
    createdAt: toIso(row.createdAt),
    cid: row.cid,
    audio_profile: profile,
    link: null,
    visible: row.visible === 1,
  };
}

type Fill = (item: TrackListItem, row: PageRow, profile: ListProfile | undefined) => void;

/** How each field gets into an item that holds only what was asked for. */
const FILL: Readonly<Record<ListField, Fill>> = {
  id: () => {},
  name: (item, row) => {
    item.name = row.name;
  },
  createdAt: (item, row) => {
    item.createdAt = toIso(row.createdAt);
  },
  cid: (item, row) => {
    item.cid = row.cid;
  },
  audio_profile: (item, _, profile) => {
    if (profile) item.audio_profile = profile;
  },
  shareholders: (item) => {
    item.shareholders = [];
  },
  link: (item) => {
    item.link = null;
  },
  share_link: (item) => {
    item.share_link = null;
  },
};

/** Returns the profile of each row, genres and moods in the order written. */
function toProfiles(db: Db, rows: readonly PageRow[]): ListProfile[] {
  const profiles = rows.map(toProfile);
  const ids = rows.map(({ id }) => id);
  for (const { place, isMood, id, name } of selectPageTags(db, ids)) {
    const profile = profiles[place];
    if (isMood === 1) profile?.moods.push({ mood: { id, name } });
    else profile?.genres.push({ genre: { id, name } });
  }
  return profiles;
}

function toProfile({ title, artist, bpm, key, durationSec }: PageRow): ListProfile {
  return { title, artist, bpm, key, durationSec, genres: [], moods: [] };
}
