import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
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

/** `/tracks`: reading the library. */
export const trackRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" })
    .use(guard)
    .get(
      "",
      async ({ actor, query }) => {
        const { tracks, paging } = listTracks(deps, actor.accountId, query);
        const unknownTags = tracks.length === 0 ? await unknownTagsOf(query) : undefined;
        return ok(tracks, unknownTags ? { paging, unknownTags } : { paging });
      },
      {
        scope: "read:tracks",
        query: ListTracksQuery,
        detail: describe({
          operationId: "listTracks",
          tag,
          summary: "List the library's tracks",
          description: "Page with `paging.next_cursor`. A cursor works only with the same sort and filters.",
          answer: Type.Array(TrackListItem),
          siblings: { paging: Paging, unknownTags: Type.Optional(UnknownTags) },
          refusals: [],
        }),
      },
    )
    .get("/count", ({ actor }) => ok(countTracks(deps, actor.accountId)), {
      scope: "read:tracks",
      detail: describe({
        operationId: "countTracks",
        tag,
        summary: "Count the library's tracks",
        description: "The count includes hidden tracks.",
        answer: TrackCount,
        refusals: [],
      }),
    })
    .get("/duplicates", ({ actor, query }) => ok(listDuplicates(deps, actor.accountId, query)), {
      scope: "read:tracks",
      query: DuplicatesQuery,
      detail: describe({
        operationId: "listDuplicates",
        tag,
        summary: "Find tracks with the same audio",
        description:
          "Groups tracks by the hash of their bytes: renamed copies match, re-encoded ones do not. A track has no hash " +
          "until it has been analysed.",
        answer: Duplicates,
        refusals: [],
      }),
    })
    .get("/single", ({ actor, query }) => ok(findTrack(deps, actor.accountId, query.id)), {
      scope: "read:tracks",
      query: SingleTrackQuery,
      detail: describe({
        operationId: "getTrack",
        tag,
        summary: "Get a track",
        description: "`track` is null when it does not exist or belongs to another account.",
        answer: SingleTrack,
        refusals: [],
      }),
    });
