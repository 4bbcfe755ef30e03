import type { Composer } from "../../modules/library/composers/shapes.ts";
import type { Playlist, PlaylistDetail } from "../../modules/library/playlists/shapes.ts";
import type {
  ListProfile,
  SingleTrack,
  TrackDetail,
  TrackListItem,
} from "../../modules/library/tracks/shapes.ts";
import type { Version, VersionList } from "../../modules/library/versions/shapes.ts";
import type { SearchHit, SearchResult } from "../../modules/search/search/shapes.ts";
import type { Comment } from "../../modules/sharing/comments/shapes.ts";

/** The most linked tracks shown with a composer (specification, "Tool server"). */
const MAX_LINKED_TRACKS = 25;

/** A page in the form that the routes return. */
export type Page<Item> = {
  data: Item[];
  paging: { limit: number; next_cursor: string | null };
  unknownTags?: object;
};

/** Returns an object without its nulls, empty texts and empty lists, which add nothing. */
function prune<Fields extends object>(fields: Fields): Partial<Fields> {
  // A plain loop, because this runs for every item of every list.
  const kept: Partial<Fields> = {};
  for (const name in fields) if (!isEmpty(fields[name])) kept[name] = fields[name];
  return kept;
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/**
 * Returns a page of trimmed items. The cursor stays even when it is null, which means that there are no more pages.
 */
export const compactPage =
  <Item>(compact: (item: Item) => object) =>
  ({ data, paging, ...rest }: Page<Item>): object => ({
    data: data.map(compact),
    paging: { next_cursor: paging.next_cursor },
    ...rest,
  });

/** Returns the fields of decision 4.40 for a track, and how far its analysis has come. The full form has the others. */
export function compactTrack({ id, name, createdAt, link, analysis, audio_profile: profile }: TrackListItem) {
  return prune({
    id,
    name,
    title: profile?.title,
    artist: profile?.artist,
    bpm: profile?.bpm,
    key: profile?.key,
    durationSec: profile?.durationSec,
    genres: profile?.genres.map(({ genre }) => genre.name),
    moods: profile?.moods.map(({ mood }) => mood.name),
    createdAt,
    link,
    analysis: analysis && { status: analysis.status },
  });
}

/** The relations of a single track that its list item lacks, by the names under which tags are written. */
const RELATIONS = {
  types: "types",
  instruments: "instruments",
  vocals: "vocals",
  lyricThemes: "lyricThemes",
  eras: "eras",
  characters: "characters",
  movements: "movements",
  tags: "additionalTags",
} as const;

/** Returns one track with its tags, details and credits. Null stays, because it is the answer. */
export function compactSingleTrack({ track, id, activeVersionId }: SingleTrack): object {
  if (!track) return { id, track: null };
  // A single track has all the relations of the list, and more.
  const profile = track.audio_profile as unknown as ListProfile & Record<keyof typeof RELATIONS, Relation[]>;
  const relations = Object.entries(RELATIONS).map(([name, written]) => [
    written,
    profile[name as keyof typeof RELATIONS].flatMap((each) => Object.values(each).map((tag) => tag.name)),
  ]);
  const { album, year, isrc, composer, recordLabel } = track.audio_profile;
  const { status, reason } = track.analysis;
  return {
    track: {
      ...compactTrack({ ...track, audio_profile: profile }),
      ...prune({ ...Object.fromEntries(relations), album, year, isrc, composer, recordLabel }),
      ...(track.shareholderTracks.length > 0 && { composers: track.shareholderTracks.map(compactCredit) }),
      analysis: prune({ status, reason }),
    },
    activeVersionId,
  };
}

/** A tag of a track under the name of its kind, such as `{mood: {id, name}}`. */
type Relation = Record<string, { name: string }>;

const compactCredit = ({ share, role, shareholder }: TrackDetail["shareholderTracks"][number]) => ({
  id: shareholder.id,
  fullName: shareholder.fullName,
  share,
  role,
});

export const compactVersion = ({ id, label, name, active, visible, createdAt, review }: Version): object =>
  prune({ id, label, name, active, visible, createdAt, review: compactReview(review) });

/** Returns what was said of a version, without what nobody said. */
function compactReview(review: Version["review"]): object | null {
  const said = Object.entries(review).filter(([, count]) => count > 0);
  return said.length > 0 ? Object.fromEntries(said) : null;
}

export const compactVersions = ({ versions, ...list }: VersionList): object => ({
  ...list,
  versions: versions.map(compactVersion),
});

/** The most open notes of a track that are shown: the newest. */
export const MAX_NOTES = 100;
/** Of a note's text; the API has the rest. */
const MAX_NOTE_CHARACTERS = 500;

/**
 * Returns open notes with the version that was heard and their place in it. `now` is where they are in the active version, where
 * that is another place. Their texts were written by people, strangers among them.
 */
export const compactNotes = (notes: readonly Comment[]): object => ({
  notes: notes.map(({ id, versionId, versionLabel, author, positionSec, endSec, text, replyCount, place }) =>
    prune({
      id,
      versionId,
      versionLabel,
      author: author.name,
      positionSec,
      endSec,
      now: place && place.how !== "heard" ? prune(place) : null,
      text: text.length > MAX_NOTE_CHARACTERS ? `${text.slice(0, MAX_NOTE_CHARACTERS)}…` : text,
      replies: replyCount > 0 ? replyCount : null,
    }),
  ),
  ...(notes.length === MAX_NOTES && { notesTruncated: true }),
});

export const compactPlaylist = ({ id, name, kind, trackCount, updatedAt }: Playlist) => ({
  id,
  name,
  kind,
  trackCount,
  updatedAt,
});

/** Returns a playlist with the main fields of its tracks, in order. `publicUrl` is the root of the public pages. */
export function compactPlaylistDetail(playlist: PlaylistDetail, publicUrl: string): object {
  const token = playlist.modes.find(({ mode, active }) => mode === "SHARE_VIEW" && active)?.link;
  return {
    ...compactPlaylist(playlist),
    ...(token && { publicLink: `${publicUrl}/playlist/${token}` }),
    tracks: playlist.tracks.map(({ id, name, audio_profile: profile }) =>
      prune({
        id,
        title: profile?.title ?? name,
        artist: profile?.artist,
        durationSec: profile?.durationSec,
      }),
    ),
  };
}

export function compactComposer({ id, fullName, email, artistName, pro, tracks }: Composer): object {
  const linked = tracks.slice(0, MAX_LINKED_TRACKS).map(({ share, role, track }) => ({
    id: track.id,
    name: track.name,
    share,
    role,
  }));
  const isCut = tracks.length > MAX_LINKED_TRACKS;
  return prune({
    id,
    fullName,
    email,
    artistName,
    pro,
    tracks: linked,
    ...(isCut && { tracksTruncated: true }),
  });
}

export function compactHit({
  id,
  title,
  artists,
  bpm,
  key,
  durationSec,
  score,
  reason,
  also,
}: SearchHit): object {
  return prune({ id, title, artists, bpm, key, durationSec, score, reason, also: also?.map(compactAlso) });
}

/** The main mix of an edit is the whole song. */
const compactAlso = ({ trackId, kind, part, editSec }: NonNullable<SearchHit["also"]>[number]) =>
  prune({ id: trackId, kind, part, editSec });

export const compactSearch = ({ count, results, interpretation, suggestedName, searchId }: SearchResult) => ({
  count,
  results: results.map(compactHit),
  interpretation: {
    briefParsed: interpretation.briefParsed,
    summary: interpretation.summary,
    ...prune({
      notUnderstood: interpretation.notUnderstood,
      ordering: interpretation.ordering,
    }),
  },
  suggestedName,
  searchId,
});

/** The fields shown of an item of `GET /listeners`. */
export type Listener = {
  recipient: string | null;
  name: string | null;
  shareId: string;
  url: string;
  plays: number;
  downloads: number;
  lastHeardAt: string | null;
  tracks: { trackId: string; title: string; heardSec: number; stoppedAtSec: number | null }[];
};

/** Returns a link with its recipient and its plays; a link that was never heard has no plays. */
export const compactListener = ({ tracks, ...link }: Listener): object => ({
  ...prune({
    recipient: link.recipient,
    name: link.name,
    shareId: link.shareId,
    url: link.url,
    plays: link.plays,
    downloads: link.downloads,
    lastHeardAt: link.lastHeardAt,
  }),
  tracks: tracks.map(({ trackId, title, heardSec, stoppedAtSec }) =>
    prune({ id: trackId, title, heardSec, stoppedAtSec }),
  ),
});

/** Returns the names by category, in display order, without the categories that were not asked for. */
export const compactTaxonomy = (taxonomy: Record<string, { name: string }[]>): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(taxonomy)
      .filter(([, entries]) => entries.length > 0)
      .map(([category, entries]) => [category, entries.map(({ name }) => name)]),
  );
