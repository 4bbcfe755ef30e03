import { laterRoutes } from "../http/later-routes.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Parts } from "./module.ts";

/** The pages of links. */
export const sharePages = (deps: Deps, { visitors, counting }: Parts) =>
  laterRoutes(
    [
      ...(["track", "playlist"] as const).flatMap((entity) => [
        `GET /${entity}/:token` as const,
        `POST /${entity}/:token` as const,
        `POST /${entity}/:token/comments` as const,
        `GET /${entity}/:token/listen/:version` as const,
        `GET /${entity}/:token/download/:version` as const,
        `GET /${entity}/:token/download` as const,
        `GET /${entity}/:token/waveform/:version` as const,
        `GET /${entity}/:token/seen` as const,
        `POST /${entity}/:token/seen` as const,
        `POST /${entity}/:token/heard/:version` as const,
        `POST /${entity}/:token/review` as const,
        `POST /${entity}/:token/comments/:id/answered` as const,
        `POST /${entity}/:token/answer` as const,
        `GET /${entity}/:token/comments` as const,
        `GET /${entity}/:token/renewed/:version` as const,
      ]),
      "GET /playlist/:token/tracks",
    ],
    async () => (await import("./sharing/shares/pages/share-pages.tsx")).sharePages(deps, visitors, counting),
  );

/** A playlist as its owner sees it without a script. */
export const privatePages = (deps: Deps, { visitors }: Parts) =>
  laterRoutes(
    [
      "GET /library/playlists/:id/plain",
      "GET /library/playlists/:id/plain/tracks",
      "GET /library/playlists/:id/plain/listen/:version",
      "GET /library/playlists/:id/plain/download/:version",
      "GET /library/playlists/:id/plain/download",
      "GET /library/playlists/:id/plain/waveform/:version",
    ],
    async () => (await import("./sharing/shares/pages/private-pages.tsx")).privatePages(deps, visitors),
  );

/** The public page of a brief, and the personal pages of the people asked by e-mail. */
export const submissionPages = (deps: Deps, { visitors, limits }: Parts) =>
  laterRoutes(
    [
      "OPTIONS /submit/:token/uploads",
      "OPTIONS /submit/:token/uploads/:id",
      "POST /submit/:token/uploads",
      "HEAD /submit/:token/uploads/:id",
      "PATCH /submit/:token/uploads/:id",
      "DELETE /submit/:token/uploads/:id",
      "GET /submit/receipt/:receipt",
      "GET /submit/:token",
      "POST /submit/:token",
      "GET /submit/:token/received/:batch",
      "POST /submit/:token/received/:batch",
    ],
    async () =>
      (await import("./briefs/submissions/pages.tsx")).submissionPages(deps, visitors, limits.register),
  );

/** Where a composer checks their own details. */
export const supplyPages = (deps: Deps) =>
  laterRoutes(["GET /supply/:token", "POST /supply/:token"], async () =>
    (await import("./delivery/supply/pages.tsx")).supplyPages(deps),
  );

/** Where a person ends the mails that they get. */
export const stopPages = (deps: Deps) =>
  laterRoutes(["GET /mail/stop/:token", "POST /mail/stop/:token"], async () =>
    (await import("./mail/outbox/stop-pages.tsx")).stopPages(deps),
  );
