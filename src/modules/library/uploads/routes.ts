import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { PageQuery } from "../../../http/page-query.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type TusDoor, type TusUpload, tus } from "../../../http/tus.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { apiRootOf } from "../../../kernel/settings.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { pageRootOf } from "../../../pages/paths.ts";
import { arrivedAlbums } from "../albums/service.ts";
import { MAX_FILE_BYTES } from "../tracks/service.ts";
import {
  appendToUpload,
  beginUpload,
  dropUpload,
  findUpload,
  finishUploads,
  letWait,
  listWaiting,
  matchFiles,
  type UploadRow,
} from "./service.ts";
import {
  AskedUpload,
  FinishedUploads,
  FinishUploads,
  MAX_PATH,
  Matched,
  MatchFiles,
  UploadParams,
  WaitingUpload,
} from "./shapes.ts";

const EXTENSIONS = "creation,creation-with-upload,expiration,termination";
const tag = "App";

/** `/app/uploads`: how owners send files, so that nothing on its way is lost. */
export const ownerUploadRoutes = (deps: Deps, guard: Guards, turns: Turns) =>
  new Elysia()
    .use(pieceRoutes(deps, guard, turns))
    .use(finishRoutes(deps, guard, turns))
    .use(waitingRoutes(deps, guard, turns));

/** `/api/v1/uploads`: sending with a key, by the same protocol. */
export const keyUploadRoutes = (deps: Deps, guard: Guards, turns: Turns) => {
  const root = apiRootOf(deps.settings);
  const doorOf = (accountId: string) => () => openDoor(deps, turns, accountId);
  const scope = "create:tracks";
  return new Elysia({ prefix: "/uploads" })
    .use(guard)
    .post(
      "",
      ({ actor, request }) =>
        tus.create(request, doorOf(actor.accountId), (id) => `${root}/api/v1/uploads/${id}`),
      { pieceScope: scope, parse: "none" },
    )
    .head("/:id", ({ actor, request, params: { id } }) => tus.head(request, doorOf(actor.accountId), id), {
      pieceScope: scope,
    })
    .patch("/:id", ({ actor, request, params: { id } }) => tus.patch(request, doorOf(actor.accountId), id), {
      pieceScope: scope,
      parse: "none",
    });
};

/** Sending, by the tus protocol. The file's path and its track are in `Upload-Metadata`. */
const pieceRoutes = (deps: Deps, guard: Guards, turns: Turns) => {
  const root = pageRootOf(deps.settings);
  const doorOf = (accountId: string) => () => openDoor(deps, turns, accountId);
  return new Elysia({ prefix: "/app/uploads" })
    .use(guard)
    .options("", () => tus.options(EXTENSIONS, MAX_FILE_BYTES))
    .options("/:id", () => tus.options(EXTENSIONS, MAX_FILE_BYTES))
    .post(
      "",
      ({ actor, request }) =>
        tus.create(request, doorOf(actor.accountId), (id) => `${root}/app/uploads/${id}`),
      { uploadSession: true, parse: "none" },
    )
    .head("/:id", ({ actor, request, params: { id } }) => tus.head(request, doorOf(actor.accountId), id), {
      uploadSession: true,
    })
    .patch("/:id", ({ actor, request, params: { id } }) => tus.patch(request, doorOf(actor.accountId), id), {
      uploadSession: true,
      parse: "none",
    })
    .delete(
      "/:id",
      ({ actor, request, params: { id } }) => tus.delete(request, doorOf(actor.accountId), id),
      { uploadSession: true },
    );
};

function openDoor(deps: Deps, turns: Turns, accountId: string): TusDoor {
  return {
    create: async ({ sizeBytes, texts }) => {
      const announced = {
        path: texts.get("filename")?.slice(0, MAX_PATH) || "untitled",
        sizeBytes,
        senderKey: texts.get("key") || undefined,
        trackId: texts.get("trackId") || undefined,
      };
      const { row, offset } = await beginUpload(deps, turns, accountId, announced);
      return toTus(row, offset);
    },
    find: async (id) => {
      const { row, offset } = await findUpload(deps, turns, accountId, id);
      return toTus(row, offset);
    },
    append: async (id, offset, body) => {
      const reached = await appendToUpload(deps, turns, accountId, { id, offset, body });
      return { ...toTus(reached.row, reached.offset), isTaken: reached.isTaken };
    },
    drop: (id) => dropUpload(deps, turns, accountId, id),
  };
}

const toTus = ({ id, sizeBytes, expiresAt }: UploadRow, offset: number): TusUpload => ({
  id,
  sizeBytes,
  expiresAt,
  offset,
});

const finishRoutes = (deps: Deps, guard: Guards, turns: Turns) =>
  new Elysia({ prefix: "/app/uploads" })
    .use(guard)
    .post(
      "/finish",
      async ({ actor, body, request }) => {
        stateOf(request).hasNoTimeout = true;
        const uploads = await finishUploads(deps, turns, actor.accountId, body.uploads);
        const albumIds = uploads.map(({ albumId }) => albumId);
        return ok({ uploads, albums: arrivedAlbums(deps, actor.accountId, albumIds) });
      },
      {
        session: true,
        body: FinishUploads,
        detail: describe({
          operationId: "finishUploads",
          tag,
          summary: "Put uploads that have arrived into the library",
          description:
            "Each upload becomes a track, or a new version of the track that it names. One whose bytes the library has " +
            "already becomes nothing, and the answer names that track. Each has an outcome of its own, and asking again " +
            "gives the same outcome. Songs of a folder that share the name of an album, or are numbered, are put onto an album.",
          answer: FinishedUploads,
          refusals: [],
        }),
      },
    )
    .post("/match", ({ actor, body }) => ok(matchFiles(deps, actor.accountId, body.files)), {
      session: true,
      body: MatchFiles,
      detail: describe({
        operationId: "matchFiles",
        tag,
        summary: "See which tracks files are new versions of",
        description:
          "Goes by the files' names without what only says which version they are, such as `v7`, `final mix` or a date. A " +
          "name that fits several tracks fits none.",
        answer: Matched,
        refusals: [],
      }),
    });

/** Files that nobody said yet what they are: any browser of the account may. */
const waitingRoutes = (deps: Deps, guard: Guards, turns: Turns) =>
  new Elysia({ prefix: "/app/uploads" })
    .use(guard)
    .get(
      "/waiting",
      async ({ actor, query }) => {
        const { items, paging } = await listWaiting(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        session: true,
        query: PageQuery,
        detail: describe({
          operationId: "listWaitingUploads",
          tag,
          summary: "List files that wait for somebody to say what they are, newest first",
          description:
            "Each has arrived, and is named like a version of a track. `POST /app/uploads/finish` decides, with `trackId` or " +
            "without. After 30 days it becomes a track of its own.",
          answer: Type.Array(WaitingUpload),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    )
    .post(
      "/:id/wait",
      async ({ actor, params }) => ok({ upload: await letWait(deps, turns, actor.accountId, params.id) }),
      {
        session: true,
        params: UploadParams,
        detail: describe({
          operationId: "waitWithUpload",
          tag,
          summary: "Let a file that has arrived wait for somebody to say what it is",
          description:
            "It waits when its name says that it is a version of a track, and the library does not have its bytes. Asking again " +
            "changes nothing.",
          answer: AskedUpload,
          refusals: ["not_found", "upload_incomplete"],
        }),
      },
    );
