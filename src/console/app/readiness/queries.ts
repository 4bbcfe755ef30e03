import { api, dataOf } from "../api/client.ts";
import { type AnswerOf, type Query, query } from "../api/queries.ts";
import type { Body, Data } from "../api/routes.ts";

/** What a playlist, an album or a selection lacks. */
export type ListReadiness = Data<"POST /app/readiness">;
/** Something that is missing or wrong. */
export type Finding = ListReadiness["findings"][number];
export type Profile = ListReadiness["profile"];

/** What is looked at. */
export type Whose =
  | { trackId: string }
  | { playlistId: string }
  /** `asList`: the album or playlist that they are handed over as. */
  | { trackIds: readonly string[]; asList?: string };

/** What a track or a list of them lacks, in the form of a list. */
export type Readiness = Pick<ListReadiness, "counts" | "findings" | "tracks">;

const DEPENDS = { tracks: "all", versions: "all", analysis: "all", composers: "all", tags: "all" } as const;

const trackQuery = (trackId: string, profile: Profile) =>
  query(
    "/app/library/tracks/{trackId}/readiness",
    { path: { trackId }, query: { profile } },
    {
      ...DEPENDS,
      tracks: [trackId],
      versions: [trackId],
    },
  );

const playlistQuery = (playlistId: string, profile: Profile) =>
  query(
    "/app/library/playlists/{playlistId}/readiness",
    { path: { playlistId }, query: { profile } },
    { ...DEPENDS, playlists: [playlistId] },
  );

/** A selection is too long for an address. */
function selectionQuery(
  { trackIds, asList }: { trackIds: readonly string[]; asList?: string },
  profile: Profile,
): Query<{ data: ListReadiness }> {
  const list = asList === undefined ? {} : { playlistId: asList };
  const body: Body<"POST /app/readiness"> = { trackIds: [...trackIds], profile, ...list };
  return {
    queryKey: [`/app/readiness ${JSON.stringify(body)}`],
    meta: { depends: { ...DEPENDS, ...(asList !== undefined && { playlists: [asList] }) } },
    queryFn: async () => ({ data: await dataOf(api.POST("/app/readiness", { body })) }),
    initialData: () => undefined,
    initialDataUpdatedAt: 0,
  };
}

type Answered =
  | AnswerOf<"/app/library/tracks/{trackId}/readiness">
  | AnswerOf<"/app/library/playlists/{playlistId}/readiness">
  | { data: ListReadiness };

/** Returns the query of what something lacks. */
export function readinessQuery(of: Whose, profile: Profile): Query<Answered> {
  if ("trackId" in of) return trackQuery(of.trackId, profile) as Query<Answered>;
  if ("playlistId" in of) return playlistQuery(of.playlistId, profile) as Query<Answered>;
  return selectionQuery(of, profile) as Query<Answered>;
}

/** Returns an answer about one track as one about a list. */
export function asList({ data }: Answered): Readiness {
  return "tracks" in data ? data : { counts: data.counts, findings: [], tracks: [data] };
}
