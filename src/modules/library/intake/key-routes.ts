import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { ok, Paging } from "../../../http/envelope.ts";
import type { Guards } from "../../../http/guards.ts";
import { describe } from "../../../http/openapi.ts";
import { signalOf, stateOf } from "../../../http/request-state.ts";
import type { Deps } from "../../../kernel/deps.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { coverFolder } from "../albums/service.ts";
import { Covered } from "../albums/shapes.ts";
import { base64Picture } from "../artwork/service.ts";
import { listRemembered, takeUploaded } from "./service.ts";
import { FolderCover, RememberedFile, RememberedQuery, TakeFiles, TakenFiles } from "./shapes.ts";

const tag = "Tracks";

/** `/api/v1/uploads/take` and `/uploads/remembered`: folders whose files are taken in. */
export const intakeKeyRoutes = (deps: Deps, guard: Guards, turns: Turns) =>
  new Elysia({ prefix: "/uploads" })
    .use(guard)
    .post(
      "/take",
      async ({ actor, body, request }) => {
        stateOf(request).hasNoTimeout = true;
        return ok({ files: await takeUploaded(deps, turns, actor.accountId, body) });
      },
      {
        scope: "update:tracks",
        body: TakeFiles,
        detail: describe({
          operationId: "takeFiles",
          tag,
          summary: "Take files of a folder into the library",
          description:
            "Each file becomes a version of the track that its name or its path points at, or a track. Bytes that the library " +
            "has are recognised; others are asked for: send them to `POST /uploads` (tus 1.0.0), then ask again with `uploadId`. " +
            "Asking again gives the same outcome.",
          answer: TakenFiles,
          refusals: [],
        }),
      },
    )
    .post(
      "/cover",
      async ({ actor, body: { source, path, image }, request }) => {
        const picture = base64Picture(image);
        const bytes = "bytes" in picture ? picture.bytes : new Uint8Array();
        const side = { accountId: actor.accountId, source, path, bytes };
        return ok(await coverFolder(deps, side, signalOf(request)));
      },
      {
        scope: "update:tracks",
        body: FolderCover,
        detail: describe({
          operationId: "coverTakenFolder",
          tag,
          summary: "Give what came from a folder the picture that lies in it",
          description:
            "It becomes the cover of the album that the folder's songs are, and of the songs that have none; a cover that the owner " +
            "chose stays.",
          answer: Covered,
          refusals: ["invalid_image_type", "insufficient_storage"],
        }),
      },
    )
    .get(
      "/remembered",
      ({ actor, query }) => {
        const { items, paging } = listRemembered(deps, actor.accountId, query);
        return ok(items, { paging });
      },
      {
        scope: "read:tracks",
        query: RememberedQuery,
        detail: describe({
          operationId: "listRememberedFiles",
          tag,
          summary: "List what is known of a folder's files",
          description: "The last that was taken in from each path, so that nothing has to be read twice.",
          answer: Type.Array(RememberedFile),
          siblings: { paging: Paging },
          refusals: [],
        }),
      },
    );
