import { Elysia } from "elysia";
import { ok } from "../../../../http/envelope.ts";
import type { Guards } from "../../../../http/guards.ts";
import { describe } from "../../../../http/openapi.ts";
import { signalOf } from "../../../../http/request-state.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import type { ErrorCode } from "../../../../kernel/errors.ts";
import { SingleTrack } from "../shapes.ts";
import { setCoverArt, updateDetails } from "./details.ts";
import { CoverArt, CoverArtInput, DetailsInput, DetailsQuery } from "./details-shapes.ts";

const tag = "Tracks";
const COVER_REFUSALS: readonly ErrorCode[] = [
  "invalid_image_url",
  "invalid_image_type",
  "image_download_failed",
  "insufficient_storage",
];

/** `PATCH /tracks/details` and `POST /tracks/cover-art`. */
export const detailsRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/tracks" })
    .use(guard)
    .patch(
      "/details",
      async ({ actor, query, body, request }) => {
        const target = { ownerId: actor.accountId, trackId: query.id };
        return ok(await updateDetails(deps, target, body, signalOf(request)));
      },
      {
        scope: "update:tracks",
        query: DetailsQuery,
        body: DetailsInput,
        detail: describe({
          operationId: "updateTrackDetails",
          tag,
          summary: "Update a track's details",
          description:
            "Only the fields you send change; null clears a field. Values written here override the file's tags and " +
            "the measurements. The audio file itself never changes.",
          answer: SingleTrack,
          refusals: ["track_not_found", ...COVER_REFUSALS],
        }),
      },
    )
    .post(
      "/cover-art",
      async ({ actor, body, request }) =>
        ok(await setCoverArt(deps, actor.accountId, body, signalOf(request))),
      {
        scope: "update:tracks",
        body: CoverArtInput,
        detail: describe({
          operationId: "setCoverArt",
          tag,
          summary: "Set a track's cover",
          description:
            "A JPEG, PNG, WebP or GIF of at most 15 MB, by address or in base64. It is redrawn at no more than 1600 pixels " +
            "per side, and metadata in the file is dropped.",
          answer: CoverArt,
          refusals: ["missing_image", "track_not_found", ...COVER_REFUSALS],
        }),
      },
    );
