import type { Db } from "../../../../db/client.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { toIso } from "../../../kernel/time.ts";
import { publicLinksOf } from "../../sharing/shares/service.ts";
import { shareholdersOfTracks } from "../composers/service.ts";
import { type PageRow, selectPageTags } from "./queries.ts";
import type { ListField, ListProfile, TrackListItem } from "./shapes.ts";

/**
 * Converts the rows of a page to the form that the API sends. This is the hot path of a list: it uses literals, and
 * builds nothing that is not sent.
 *
 * @param fields What the caller asked for; undefined: everything except `shareholders`, plus `visible`.
 */
export function toListItems(
  deps: Pick<Deps, "db" | "now" | "settings">,
  rows: readonly PageRow[],
  fields: readonly ListField[] | undefined,
): TrackListItem[] {
  const ids = rows.map(({ id }) => id);
  if (!fields) {
    const profiles = toProfiles(deps.db, rows, ids);
    const links = publicLinksOf(deps, "track", ids);
    return rows.map((row, place) => toFullItem(row, profiles[place] ?? toProfile(row), links[place] ?? null));
  }
  const isAskedFor = (...names: ListField[]) => names.some((name) => fields.includes(name));
  const profiles = isAskedFor("audio_profile") ? toProfiles(deps.db, rows, ids) : [];
  const links = isAskedFor("link", "share_link") ? publicLinksOf(deps, "track", ids) : [];
  const shareholders = isAskedFor("shareholders") ? shareholdersOfTracks(deps, ids) : [];
  return rows.map((row, place) => {
    const item: TrackListItem = { id: row.id };
    const related = {
      profile: profiles[place],
      link: links[place] ?? null,
      shareholders: shareholders[place] ?? [],
    };
    for (const field of fields) FILL[field](item, row, related);
    return item;
  });
}

function toFullItem(row: PageRow, profile: ListProfile, link: string | null): TrackListItem {
  return {
    id: row.id,
    name: row.name,
    createdAt: toIso(row.createdAt),
    cid: row.cid,
    audio_profile: profile,
    link,
    analysis: { status: row.analysisStatus },
    visible: row.visible === 1,
  };
}

/** Data from other tables; undefined or empty when it was not asked for. */
type Related = {
  profile: ListProfile | undefined;
  link: string | null;
  shareholders: NonNullable<TrackListItem["shareholders"]>;
};
type Fill = (item: TrackListItem, row: PageRow, related: Related) => void;

/** How to fill each field of an item that holds only the requested fields. */
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
  audio_profile: (item, _, { profile }) => {
    if (profile) item.audio_profile = profile;
  },
  shareholders: (item, _, { shareholders }) => {
    item.shareholders = shareholders;
  },
  link: (item, _, { link }) => {
    item.link = link;
  },
  share_link: (item, _, { link }) => {
    item.share_link = link;
  },
  analysis: (item, row) => {
    item.analysis = { status: row.analysisStatus };
  },
};

/** Returns the profile of each row, genres and moods in the order written. */
function toProfiles(db: Db, rows: readonly PageRow[], ids: readonly string[]): ListProfile[] {
  const profiles = rows.map(toProfile);
  for (const { place, isMood, id, name } of selectPageTags(db, ids)) {
    const profile = profiles[place];
    if (isMood === 1) profile?.moods.push({ mood: { id, name } });
    else profile?.genres.push({ genre: { id, name } });
  }
  return profiles;
}

/** Returns the names of the genres and moods of each track, in the order written. */
export function genresAndMoodsOf(db: Db, ids: readonly string[]): { genres: string[]; moods: string[] }[] {
  const tags = ids.map((): { genres: string[]; moods: string[] } => ({ genres: [], moods: [] }));
  for (const { place, isMood, name } of selectPageTags(db, ids))
    tags[place]?.[isMood === 1 ? "moods" : "genres"].push(name);
  return tags;
}

function toProfile({ title, artist, bpm, key, durationSec }: PageRow): ListProfile {
  return { title, artist, bpm, key, durationSec, genres: [], moods: [] };
}
