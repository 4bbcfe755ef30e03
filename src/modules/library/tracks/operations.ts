import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { signalOf, stateOf } from "../../../http/request-state.ts";
import { requireNeed } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { ErrorCode } from "../../../kernel/errors.ts";
import { MAX_PICTURE_SIZE } from "../artwork/shapes.ts";
import { replaceShareholders } from "../composers/service.ts";
import { ReplaceShareholders } from "../composers/shapes.ts";
import { setCoverArt, updateDetails } from "./details/details.ts";
import { CoverArt, CoverArtInput, DetailsInput, DetailsQuery } from "./details/details-shapes.ts";
import { listDuplicates } from "./duplicates.ts";
import { Duplicates, DuplicatesQuery } from "./duplicates-shapes.ts";
import { listTrackEdits } from "./edits.ts";
import { TrackEdit, TrackEditsParams } from "./edits-shapes.ts";
import { countTracks, findTrack, listTracks, unknownTagsOf } from "./service.ts";
import {
  ListTracksQuery,
  SingleTrack,
  SingleTrackQuery,
  TrackCount,
  TrackListItem,
  UnknownTags,
} from "./shapes.ts";
import { createWait, type Wait } from "./wait.ts";
import { WaitedForTracks, WaitForTracks } from "./wait-shapes.ts";

const tag = "Tracks";

const COVER_REFUSALS: readonly ErrorCode[] = [
  "invalid_image_url",
  "invalid_image_type",
  "image_download_failed",
  "insufficient_storage",
];

/** Reading the library, changing what it says of a track, and waiting for analyses. */
export const trackOperations = (deps: Deps) => [...library, ...waiting(createWait(deps))];

const library = [
  op({
    at: "GET /tracks",
    id: "listTracks",
    key: "read:tracks",
    input: { query: ListTracksQuery },
    tag,
    summary: "List the library's tracks",
    description: "Page with `paging.next_cursor`. A cursor works only with the same sort and filters.",
    answer: Type.Array(TrackListItem),
    siblings: { paging: Paging, unknownTags: Type.Optional(UnknownTags) },
    refusals: [],
    run(deps, { actor, query }) {
      const page = listTracks(deps, actor, query);
      return page.items.length > 0 ? page : withUnknownTags(page, query);
    },
  }),
  op({
    at: "GET /tracks/count",
    id: "countTracks",
    key: "read:tracks",
    tag,
    summary: "Count the library's tracks",
    description: "The count includes hidden tracks.",
    answer: TrackCount,
    refusals: [],
    run: (deps, { actor }) => countTracks(deps, actor.accountId),
  }),
  op({
    at: "GET /tracks/duplicates",
    id: "listDuplicates",
    key: "read:tracks",
    input: { query: DuplicatesQuery },
    tag,
    summary: "Find tracks with the same audio",
    description:
      "Groups tracks by the hash of their bytes: renamed copies match, re-encoded ones do not. A track has no hash " +
      "until it has been analysed.",
    answer: Duplicates,
    refusals: [],
    run: (deps, { actor, query }) => listDuplicates(deps, actor.accountId, query),
  }),
  op({
    at: "GET /tracks/single",
    id: "getTrack",
    key: "read:tracks",
    rooms: { trackIn: "id" },
    input: { query: SingleTrackQuery },
    tag,
    summary: "Get a track",
    description: "`track` is null when it does not exist or belongs to another account.",
    answer: SingleTrack,
    refusals: [],
    run: (deps, { actor, query }) => findTrack(deps, actor, query.id),
  }),
  op({
    at: "PATCH /tracks/details",
    id: "updateTrackDetails",
    key: "update:tracks",
    input: { query: DetailsQuery, body: DetailsInput },
    tag,
    summary: "Update a track's details",
    description:
      "Only the fields you send change; null clears a field. Values written here override the file's tags and " +
      "the measurements. The audio file itself never changes.",
    answer: SingleTrack,
    refusals: ["track_not_found", ...COVER_REFUSALS],
    run(deps, { actor, query, body, request }) {
      const target = { ownerId: actor.accountId, trackId: query.id, viewer: actor };
      return updateDetails(deps, target, body, signalOf(request));
    },
  }),
  op({
    at: "POST /tracks/cover-art",
    id: "setCoverArt",
    key: "update:tracks",
    input: { body: CoverArtInput },
    tag,
    summary: "Set a track's cover",
    description:
      `A JPEG, PNG, WebP or GIF of at most ${MAX_PICTURE_SIZE}, by address or in base64. It is redrawn at no more than 1600 pixels ` +
      "per side, and metadata in the file is dropped.",
    answer: CoverArt,
    refusals: ["missing_image", "track_not_found", ...COVER_REFUSALS],
    run: (deps, { actor, body, request }) => setCoverArt(deps, actor.accountId, body, signalOf(request)),
  }),
  op({
    at: "PUT /tracks/shareholders",
    id: "replaceTrackShareholders",
    key: "update:tracks",
    input: { query: SingleTrackQuery, body: ReplaceShareholders },
    tag: "Composers",
    summary: "Set the composers' shares of a track",
    description:
      "Replaces all of the track's links to composers. Returns the track. With `base`, 409 `changed_since` when the track no longer " +
      "has the links that the editor began with: `data` has its `shareholders` now, and `by` whom and when (`at`) they were written.",
    answer: SingleTrack,
    refusals: ["track_not_found", "composer_not_found", "changed_since"],
    run(deps, { actor, query, body }) {
      requireNeed(actor, "update:composer");
      replaceShareholders(deps, actor.accountId, query.id, body);
      return findTrack(deps, actor, query.id);
    },
  }),
  op({
    at: "GET /tracks/:trackId/edits",
    id: "listTrackEdits",
    session: "read:tracks",
    input: { params: TrackEditsParams },
    tag,
    summary: "List who changed which field of a track last, newest first",
    description:
      "Fields are called as in the requests that change them: `title`, `album_artist`, `genres`, `shareholders`, `activeVersionId`, " +
      "`visible`, and `versions` for the names and labels of versions.",
    answer: Type.Array(TrackEdit),
    refusals: ["track_not_found"],
    run: (deps, { actor, params }) => listTrackEdits(deps, actor, params.trackId),
  }),
];

const waiting = (wait: Wait) => [
  op({
    at: "POST /tracks/wait",
    id: "waitForTracks",
    key: "read:tracks",
    input: { body: WaitForTracks },
    tag,
    summary: "Wait until tracks are analysed",
    description:
      "Answers as soon as every analysis has ended, or with `done: false` when the time runs out; then ask again. Use " +
      "it instead of polling.",
    answer: WaitedForTracks,
    refusals: [],
    isLong: true,
    run(_, { actor, body, request }) {
      stateOf(request).keepOpen?.();
      return wait(actor.accountId, body, signalOf(request));
    },
  }),
];

async function withUnknownTags(page: ReturnType<typeof listTracks>, query: ListTracksQuery) {
  const unknownTags = await unknownTagsOf(query);
  return unknownTags ? { ...page, unknownTags } : page;
}
