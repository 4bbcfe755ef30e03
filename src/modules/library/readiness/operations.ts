import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { listLimits, setLimit } from "./limits.ts";
import { readinessOfPlaylist, readinessOfTrack, readinessOfTracks } from "./service.ts";
import {
  ListReadiness,
  PlaylistReadinessParams,
  ReadinessLimit,
  ReadinessLimitInput,
  ReadinessQuery,
  SelectionReadiness,
  TrackReadiness,
  TrackReadinessParams,
} from "./shapes.ts";

const tag = "Tracks";
const SAYS =
  "Each finding has what was found, the limit, where in the sound it is, who can supply what is missing, and whose rule it is. " +
  "Nothing is blocked by it. Rights are left out for members who do not see splits.";

/** What tracks lack before they can be handed over. */
export const readinessOperations = [
  op({
    at: "GET /tracks/:trackId/readiness",
    id: "getTrackReadiness",
    key: "read:tracks",
    input: { params: TrackReadinessParams, query: ReadinessQuery },
    tag,
    summary: "Say what a track lacks before it can be handed over",
    description: `The active version is looked at. ${SAYS}`,
    answer: TrackReadiness,
    refusals: ["track_not_found"],
    run: (deps, { actor, params, query }) => readinessOfTrack(deps, actor, params.trackId, query.profile),
  }),
  op({
    at: "GET /playlists/:playlistId/readiness",
    id: "getPlaylistReadiness",
    key: "read:tracks",
    input: { params: PlaylistReadinessParams, query: ReadinessQuery },
    tag: "Playlists",
    summary: "Say what an album or a playlist lacks before it can be handed over",
    description: `Each track, and all of them together. ${SAYS}`,
    answer: ListReadiness,
    refusals: ["playlist_not_found"],
    run: (deps, { actor, params, query }) =>
      readinessOfPlaylist(deps, actor, params.playlistId, query.profile),
  }),
  op({
    at: "GET /readiness-limits",
    id: "listReadinessLimits",
    session: "read:tracks",
    tag,
    summary: "List the limits of checks that a library may set, with its own",
    answer: Type.Array(ReadinessLimit),
    refusals: [],
    run: ({ db }, { actor }) => listLimits(db, actor.accountId),
  }),
  op({
    at: "PATCH /readiness-limits",
    id: "setReadinessLimit",
    session: "manage:library",
    input: { body: ReadinessLimitInput },
    tag,
    summary: "Set a limit of the library's checks, or give it back to the rule",
    description:
      "What makes a finding graver stays: a true peak above 0 dBTP must be mended whatever is set.",
    answer: Type.Array(ReadinessLimit),
    refusals: ["validation_failed"],
    run: (deps, { actor, body }) => setLimit(deps, actor.accountId, body),
  }),
  op({
    at: "POST /readiness",
    id: "getReadinessOf",
    session: "read:tracks",
    input: { body: SelectionReadiness },
    tag,
    summary: "Say what some tracks lack before they can be handed over",
    description: "Tracks that are not in the library are left out.",
    answer: ListReadiness,
    refusals: ["playlist_not_found"],
    run: (deps, { actor, body: { trackIds, profile, playlistId } }) =>
      readinessOfTracks(deps, actor, trackIds, profile, playlistId),
  }),
];
