import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { getShare, listActivity, listShares, revokeShare, shareEntity, updateShare } from "./service.ts";
import {
  CreateShare,
  ListSharesQuery,
  RevokedShare,
  Share,
  ShareActivity,
  ShareActivityQuery,
  ShareParams,
  UpdateShare,
} from "./shapes.ts";

const tag = "App";

/** `/app/shares`: links to tracks and playlists, for people who are signed in. */
export const shareRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/app/shares" })
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { shares, paging } = listShares(deps, actor.accountId, query);
        return ok(shares, { paging });
      },
      {
        session: true,
        query: ListSharesQuery,
        detail: describe({
          operationId: "listShares",
          tag,
          summary: "List links, newest first",
          description: "Includes revoked and expired links.",
          answer: Type.Array(Share),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post("", async ({ actor, body }) => ok(await shareEntity(deps, actor.accountId, body)), {
      session: true,
      body: CreateShare,
      detail: describe({
        operationId: "createShare",
        tag,
        summary: "Create a link to a track or a playlist",
        answer: Share,
        refusals: ["track_not_found", "playlist_not_found"],
      }),
    })
    .get("/:id", ({ actor, params }) => ok(getShare(deps, actor.accountId, params.id)), {
      session: true,
      params: ShareParams,
      detail: describe({
        operationId: "getShare",
        tag,
        summary: "Get a link",
        answer: Share,
        refusals: ["share_not_found"],
      }),
    })
    .patch(
      "/:id",
      async ({ actor, params, body }) => ok(await updateShare(deps, actor.accountId, params.id, body)),
      {
        session: true,
        params: ShareParams,
        body: UpdateShare,
        detail: describe({
          operationId: "updateShare",
          tag,
          summary: "Change what a link allows",
          description: "Changes only the fields sent; null removes a limit or the password.",
          answer: Share,
          refusals: ["share_not_found", "invalid_transition"],
        }),
      },
    )
    .delete("/:id", ({ actor, params }) => ok(revokeShare(deps, actor.accountId, params.id)), {
      session: true,
      params: ShareParams,
      detail: describe({
        operationId: "revokeShare",
        tag,
        summary: "Revoke a link permanently",
        answer: RevokedShare,
        refusals: ["share_not_found"],
      }),
    })
    .get(
      "/:id/activity",
      ({ actor, params, query }) => {
        const { activity, paging } = listActivity(deps, actor.accountId, params.id, query);
        return ok(activity, { paging });
      },
      {
        session: true,
        params: ShareParams,
        query: ShareActivityQuery,
        detail: describe({
          operationId: "listShareActivity",
          tag,
          summary: "List activity through a link, newest first",
          answer: Type.Array(ShareActivity),
          siblings: { paging: Paging },
          refusals: ["share_not_found"],
        }),
      },
    );
