import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { listDuplicates } from "./duplicates.ts";
import { Duplicates, DuplicatesQuery } from "./duplicates-shapes.ts";
import { countTracks, findTrack, listTracks, unknownTagsOf } from "./service.ts";
import {
  ListTracksQuery,
  SingleTrack,
  SingleTrackQuery,
  TrackCount,
  TrackListItem,
  UnknownTags,
} from "./shapes.ts";

const tag = "Tracks";

/** Reading the library. */
export const trackOperations = [
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
      const page = listTracks(deps, actor.accountId, query);
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
    input: { query: SingleTrackQuery },
    tag,
    summary: "Get a track",
    description: "`track` is null when it does not exist or belongs to another account.",
    answer: SingleTrack,
    refusals: [],
    run: (deps, { actor, query }) => findTrack(deps, actor.accountId, query.id),
  }),
];

async function withUnknownTags(page: ReturnType<typeof listTracks>, query: ListTracksQuery) {
  const unknownTags = await unknownTagsOf(query);
  return unknownTags ? { ...page, unknownTags } : page;
}
