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

const tag = "Shares";

/** `/shares`: links to tracks and playlists, for programs with a key (decision 0038). */
export const shareKeyRoutes = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/shares" }).use(allLinks(deps, guard)).use(oneLink(deps, guard));

const allLinks = (deps: Deps, guard: Guards) =>
  new Elysia()
    .use(guard)
    .get(
      "",
      ({ actor, query }) => {
        const { shares, paging } = listShares(deps, actor.accountId, query);
        return ok(shares, { paging });
      },
      {
        scope: "read:shares",
        query: ListSharesQuery,
        detail: describe({
          operationId: "listShareLinks",
          tag,
          summary: "List share links, newest first",
          description: "Includes revoked and expired links.",
          answer: Type.Array(Share),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post("", async ({ actor, body }) => ok(await shareEntity(deps, actor.accountId, body)), {
      scope: "create:shares",
      body: CreateShare,
      detail: describe({
        operationId: "createShareLink",
        tag,
        summary: "Make a share link to a track or a playlist",
        description: "Name a `recipient` to see later who listened.",
        answer: Share,
        refusals: ["track_not_found", "playlist_not_found"],
      }),
    });

const oneLink = (deps: Deps, guard: Guards) =>
  new Elysia({ prefix: "/:id" })
    .use(guard)
    .get("", ({ actor, params }) => ok(getShare(deps, actor.accountId, params.id)), {
      scope: "read:shares",
      params: ShareParams,
      detail: describe({
        operationId: "getShareLink",
        tag,
        summary: "Get a share link",
        answer: Share,
        refusals: ["share_not_found"],
      }),
    })
    .patch(
      "",
      async ({ actor, params, body }) => ok(await updateShare(deps, actor.accountId, params.id, body)),
      {
        scope: "update:shares",
        params: ShareParams,
        body: UpdateShare,
        detail: describe({
          operationId: "updateShareLink",
          tag,
          summary: "Change what a share link allows",
          description: "Changes only the fields sent; null removes a limit or the password.",
          answer: Share,
          refusals: ["share_not_found", "invalid_transition"],
        }),
      },
    )
    .delete("", ({ actor, params }) => ok(revokeShare(deps, actor.accountId, params.id)), {
      scope: "update:shares",
      params: ShareParams,
      detail: describe({
        operationId: "revokeShareLink",
        tag,
        summary: "Revoke a share link for good",
        answer: RevokedShare,
        refusals: ["share_not_found"],
      }),
    })
    .get(
      "/activity",
      ({ actor, params, query }) => {
        const { activity, paging } = listActivity(deps, actor.accountId, params.id, query);
        return ok(activity, { paging });
      },
      {
        scope: "read:shares",
        params: ShareParams,
        query: ShareActivityQuery,
        detail: describe({
          operationId: "listShareLinkActivity",
          tag,
          summary: "List what happened through a share link, newest first",
          answer: Type.Array(ShareActivity),
          siblings: { paging: Paging },
          refusals: ["share_not_found"],
        }),
      },
    );
