import { Type } from "@sinclair/typebox";
import { op } from "../../../http/operation.ts";
import { type TusDoor, type TusUpload, tus } from "../../../http/tus.ts";
import type { OwnerActor, SessionActor } from "../../../kernel/actor.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { apiRootOf } from "../../../kernel/settings.ts";
import type { Turns } from "../../../kernel/turns.ts";
import { pageRootOf } from "../../../pages/paths.ts";
import { MAX_FILE_BYTES } from "../tracks/service.ts";
import { appendToUpload, beginUpload, dropUpload, findUpload, type UploadRow } from "./service.ts";
import { MAX_PATH, UploadParams } from "./shapes.ts";

const EXTENSIONS = "creation,creation-with-upload,expiration,termination";
const tag = "Tracks";

/** How owners send files, so that nothing on its way is lost: tus 1.0.0. The file's path and its track are in `Upload-Metadata`. */
export const uploadPieceOperations = ({ turns }: { turns: Turns }) => [
  op({
    at: "POST /uploads",
    id: "beginUpload",
    key: "create:tracks",
    session: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "Begin an upload",
    answer: Type.Any(),
    refusals: [],
    run: (deps, { actor, request }) =>
      tus.create(request, openDoor(deps, turns, actor), addressIn(deps, actor)),
  }),
  op({
    at: "HEAD /uploads/:id",
    id: "askUpload",
    key: "create:tracks",
    session: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "See how much of an upload is there",
    answer: Type.Any(),
    refusals: [],
    input: { params: UploadParams },
    run: (deps, { actor, params, request }) => tus.head(request, openDoor(deps, turns, actor), params.id),
  }),
  op({
    at: "PATCH /uploads/:id",
    id: "appendToUpload",
    key: "create:tracks",
    session: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "Add a piece to an upload",
    answer: Type.Any(),
    refusals: [],
    input: { params: UploadParams },
    run: (deps, { actor, params, request }) => tus.patch(request, openDoor(deps, turns, actor), params.id),
  }),
  op({
    at: "DELETE /uploads/:id",
    id: "dropUpload",

    session: true,
    reads: "pieces",
    isUnlisted: true,
    tag,
    summary: "End an upload",
    answer: Type.Any(),
    refusals: [],
    input: { params: UploadParams },
    run: (deps, { actor, params, request }) => tus.delete(request, openDoor(deps, turns, actor), params.id),
  }),
];

const whatTusCan = {
  isAtRoot: true,
  reads: "pieces",
  isUnlisted: true,
  tag,
  summary: "See what uploads can do",
  answer: Type.Any(),
  refusals: [],
  run: () => tus.options(EXTENSIONS, MAX_FILE_BYTES),
} as const;

/** What browsers ask before they send. */
export const uploadOptionOperations = [
  op({ ...whatTusCan, at: "OPTIONS /app/uploads", id: "askUploads" }),
  op({ ...whatTusCan, at: "OPTIONS /app/uploads/:id", id: "askUploadOptions" }),
];

type Sender = OwnerActor | SessionActor;

/** Where the sender finds an upload again: behind the door that they came by. */
function addressIn({ settings }: Deps, actor: Sender): (id: string) => string {
  const base = "keyId" in actor ? `${apiRootOf(settings)}/api/v1` : `${pageRootOf(settings)}/app`;
  return (id) => `${base}/uploads/${id}`;
}

const openDoor =
  (deps: Deps, turns: Turns, { accountId }: Sender) =>
  (): TusDoor => ({
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
  });

const toTus = ({ id, sizeBytes, expiresAt }: UploadRow, offset: number): TusUpload => ({
  id,
  sizeBytes,
  expiresAt,
  offset,
});
