import { displayName } from "../../../http/files/file-name.ts";
import { rateLimitKey } from "../../../http/front/client-ip.ts";
import { stateOf } from "../../../http/request-state.ts";
import { type Route, route } from "../../../http/route.ts";
import { type TusDoor, type TusUpload, tus } from "../../../http/tus.ts";
import { MAX_FILE_BYTES } from "../../../kernel/limits.ts";
import { pageRootOf } from "../../../pages/paths.ts";
import { getOpenDoor, type Submissions } from "./context.ts";
import type { UploadRow } from "./queries.ts";
import { appendToUpload, beginUpload, dropUpload, resumeUpload } from "./uploads.ts";

const EXTENSIONS = "creation,expiration,termination";

/** `/submit/{token}/uploads`: uploads that arrive in pieces and continue after a lost connection. */
export const submissionUploadRoutes = (submissions: Submissions): Route[] => {
  const root = pageRootOf(submissions.deps.settings);
  const doorOf = (request: Request, token: string) => () => openDoor(submissions, request, token);
  const offer = () => tus.options(EXTENSIONS, MAX_FILE_BYTES);
  return [
    route({ at: "OPTIONS /submit/:token/uploads", run: offer }),
    route({ at: "OPTIONS /submit/:token/uploads/:id", run: offer }),
    route({
      at: "POST /submit/:token/uploads",
      run: ({ request, params: { token } }) =>
        tus.create(request, doorOf(request, token), (id) => `${root}/submit/${token}/uploads/${id}`),
    }),
    route({
      at: "HEAD /submit/:token/uploads/:id",
      run: ({ request, params: { token, id } }) => tus.head(request, doorOf(request, token), id),
    }),
    route({
      at: "PATCH /submit/:token/uploads/:id",
      run: ({ request, params: { token, id } }) => {
        stateOf(request).hasNoTimeout = true;
        return tus.patch(request, doorOf(request, token), id);
      },
    }),
    route({
      at: "DELETE /submit/:token/uploads/:id",
      run: ({ request, params: { token, id } }) => tus.delete(request, doorOf(request, token), id),
    }),
  ];
};

function openDoor(submissions: Submissions, request: Request, token: string): TusDoor {
  const { deps, freeBytes, turns } = submissions;
  const door = getOpenDoor(submissions, token);
  return {
    create: async ({ sizeBytes, texts }) => {
      const name = displayName(texts.get("filename") ?? "");
      const client = rateLimitKey(stateOf(request).ip);
      return toTus(await beginUpload(deps, freeBytes, door, { name, sizeBytes, client }), 0);
    },
    find: async (id) => {
      const { row, offset } = await resumeUpload(deps, submissions, door, id);
      return toTus(row, offset);
    },
    append: async (id, offset, body) => {
      const reached = await appendToUpload(deps, submissions, door, { id, offset, body });
      return { ...toTus(reached.row, reached.offset), isTaken: reached.isTaken };
    },
    drop: (id) => dropUpload(deps, { turns, freeBytes }, door, id),
  };
}

const toTus = ({ id, sizeBytes, expiresAt }: UploadRow, offset: number): TusUpload => ({
  id,
  sizeBytes,
  expiresAt,
  offset,
});
