import type { Operation } from "../http/operation.ts";
import type { Route } from "../http/route.ts";
import type { LazyJobs } from "../jobs/job.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Turns } from "../kernel/turns.ts";
import type { Visitors } from "../pages/visitor.ts";
import { briefOperations } from "./briefs/briefs/operations.ts";
import { inboxOperations } from "./briefs/inbox/operations.ts";
import { submissionPages } from "./briefs/submissions/pages.tsx";
import { pruneUploads } from "./briefs/submissions/prune.ts";
import { albumOperations } from "./library/albums/operations.ts";
import { workOperations } from "./library/analysis/elsewhere/operations.ts";
import { analyseWaiting, analysisJobs, type Pools, recoverAnalysisJobs } from "./library/analysis/jobs.ts";
import { autoTagOperations } from "./library/analysis/operations.ts";
import { analyticsOperations } from "./library/analytics/operations.ts";
import { artworkRoutes } from "./library/artwork/routes.ts";
import { binOperations } from "./library/bin/operations.ts";
import { pruneBin } from "./library/bin/service.ts";
import { composerOperations } from "./library/composers/operations.ts";
import { deskOperations } from "./library/desk/operations.ts";
import { forgetUndos } from "./library/desk/service.ts";
import { mediaRoutes } from "./library/files/routes.ts";
import { intakeOperations } from "./library/intake/operations.ts";
import { playlistOperations } from "./library/playlists/operations.ts";
import { makeMissing, renditionJobs } from "./library/renditions/jobs.ts";
import { saveOperations } from "./library/saves/operations.ts";
import { makeMissingSounds, soundJobs } from "./library/sounds/jobs.ts";
import { packSounds } from "./library/sounds/service.ts";
import { tagOperations } from "./library/tags/operations.ts";
import { trackOperations } from "./library/tracks/operations.ts";
import { trackUploadOperations } from "./library/tracks/upload/operations.ts";
import { uploadOperations } from "./library/uploads/operations.ts";
import { pruneOwnerUploads } from "./library/uploads/service.ts";
import { versionOperations } from "./library/versions/operations.ts";
import { versionUploadOperations } from "./library/versions/upload-operations.ts";
import {
  type AssistantParts,
  assistantOperations,
  ownUndoOperations,
} from "./outward/assistant/operations.ts";
import { pruneCalls } from "./outward/assistant/service.ts";
import { type LiveParts, liveOperations } from "./outward/live/operations.ts";
import { type DocumentText, documentRoutes } from "./outward/service/document-routes.ts";
import { type ServiceParts, serviceOperations } from "./outward/service/operations.ts";
import { webhookOperations } from "./outward/webhooks/operations.ts";
import { pruneDeliveries } from "./outward/webhooks/service.ts";
import { type AccountParts, accountOperations } from "./people/accounts/operations.ts";
import { accountPages } from "./people/accounts/pages.tsx";
import { brandOperations } from "./people/brand/operations.ts";
import { type KeyParts, keyOperations } from "./people/keys/operations.ts";
import { pruneUsage } from "./people/keys/usage.ts";
import { notificationOperations } from "./people/notifications/operations.ts";
import { grantOperations } from "./people/oauth/operations.ts";
import { oauthPages } from "./people/oauth/pages.tsx";
import { oauthRoutes } from "./people/oauth/routes.ts";
import { pruneOAuth } from "./people/oauth/service.ts";
import { resetPages } from "./people/people/reset-pages.tsx";
import { platformOperations } from "./people/platform/operations.ts";
import { historyOperations } from "./search/history/operations.ts";
import { searchOperations } from "./search/search/operations.ts";
import { commentOperations } from "./sharing/comments/operations.ts";
import { insightOperations } from "./sharing/insights/operations.ts";
import { listeningOperations } from "./sharing/shares/listening/operations.ts";
import { shareOperations } from "./sharing/shares/operations.ts";
import { privatePages } from "./sharing/shares/pages/private-pages.tsx";
import { type SharePageParts, sharePages } from "./sharing/shares/pages/share-pages.tsx";
import { operatorOperations, type ServerParts } from "./whole/operator/operations.ts";

export type { Pools } from "./library/analysis/jobs.ts";

/** What some operations and routes need beside {@link Deps}: what lives as long as the service. */
export type Parts = { turns: Turns; visitors: Visitors; documentText: DocumentText } & AccountParts &
  KeyParts &
  AssistantParts &
  LiveParts &
  ServiceParts &
  SharePageParts &
  ServerParts;

/** Deletes what a module keeps for some time only. */
export type Prune = {
  run: (deps: Deps) => unknown;
  /** What the log says when it fails. */
  failure: string;
  /** It is run at the start too, beside once an hour. */
  isAlsoAtStart?: true;
};

/** What a module contributes to the program. */
export type Module = {
  /** Its folder. */
  name: string;
  operations?: readonly Operation[] | ((deps: Deps, parts: Parts) => readonly Operation[]);
  /** What it serves beside operations. */
  routes?: (deps: Deps, parts: Parts) => readonly Route[];
  jobs?: (deps: Deps, pools: Pools) => LazyJobs;
  /** Repairs what the last run left unfinished, before jobs run. */
  recover?: (deps: Deps) => void;
  /** The same for what takes long or needs ffmpeg, while requests are served. */
  recoverLater?: (deps: Deps, signal: AbortSignal) => void | Promise<void>;
  prune?: Prune;
};

/** Every module, with what it contributes. In this order, operations stand in the document, and the rest is run. */
export const MODULES: readonly Module[] = [
  {
    name: "people/accounts",
    operations: (_, parts) => accountOperations(parts),
    routes: (deps, parts) => accountPages({ deps, ...parts }),
  },
  { name: "people/people", routes: (deps, { visitors, limits }) => resetPages(deps, visitors, limits) },
  { name: "people/team" },
  {
    name: "people/keys",
    operations: (_, parts) => keyOperations(parts),
    prune: { run: pruneUsage, failure: "Old usage records could not be deleted" },
  },
  {
    name: "people/oauth",
    operations: grantOperations,
    routes: (deps, { visitors }) => [...oauthRoutes(deps), ...oauthPages(deps, { visitors })],
    prune: { run: pruneOAuth, failure: "Old grants could not be deleted" },
  },
  { name: "people/platform", operations: platformOperations },
  { name: "people/notifications", operations: notificationOperations },
  { name: "people/brand", operations: brandOperations },
  {
    name: "outward/webhooks",
    operations: webhookOperations,
    prune: { run: pruneDeliveries, failure: "Old webhook deliveries could not be deleted" },
  },
  { name: "outward/live", operations: (_, parts) => liveOperations(parts) },
  {
    name: "outward/assistant",
    operations: (_, parts) => [...assistantOperations(parts), ...ownUndoOperations],
    prune: { run: pruneCalls, failure: "Old calls of assistants could not be deleted" },
  },
  {
    name: "outward/service",
    operations: (_, parts) => serviceOperations(parts),
    routes: (_, { documentText }) => documentRoutes(documentText),
  },
  { name: "library/catalog" },
  { name: "library/tracks", operations: (deps) => [...trackOperations(deps), ...trackUploadOperations] },
  { name: "library/versions", operations: [...versionOperations, ...versionUploadOperations] },
  { name: "library/files", routes: mediaRoutes },
  { name: "library/artwork", routes: artworkRoutes },
  { name: "library/renditions", jobs: renditionJobs, recoverLater: makeMissing },
  { name: "library/recordings" },
  {
    name: "library/uploads",
    operations: (_, parts) => uploadOperations(parts),
    prune: {
      run: pruneOwnerUploads,
      failure: "Old uploads of owners could not be ended",
      isAlsoAtStart: true,
    },
  },
  { name: "library/intake", operations: (_, parts) => intakeOperations(parts) },
  { name: "library/albums", operations: albumOperations },
  { name: "library/playlists", operations: playlistOperations },
  {
    name: "library/bin",
    operations: binOperations,
    prune: { run: pruneBin, failure: "The bin could not be emptied" },
  },
  { name: "library/composers", operations: composerOperations },
  {
    name: "library/desk",
    operations: deskOperations,
    prune: { run: forgetUndos, failure: "Old undos could not be deleted" },
  },
  { name: "library/tags", operations: tagOperations },
  {
    name: "library/analysis",
    operations: [...autoTagOperations, ...workOperations],
    jobs: analysisJobs,
    recover: recoverAnalysisJobs,
    recoverLater: analyseWaiting,
  },
  { name: "library/analytics", operations: analyticsOperations },
  { name: "library/saves", operations: saveOperations },
  {
    name: "library/sounds",
    jobs: soundJobs,
    recover: makeMissingSounds,
    prune: { run: packSounds, failure: "The vectors of tracks could not be moved together" },
  },
  {
    name: "sharing/shares",
    operations: [...shareOperations, ...listeningOperations],
    routes: (deps, { visitors, counting }) => [
      ...sharePages(deps, visitors, counting),
      ...privatePages(deps, visitors),
    ],
  },
  { name: "sharing/comments", operations: commentOperations },
  { name: "sharing/insights", operations: insightOperations },
  { name: "search/search", operations: searchOperations },
  { name: "search/history", operations: historyOperations },
  { name: "briefs/briefs", operations: briefOperations },
  { name: "briefs/inbox", operations: inboxOperations },
  {
    name: "briefs/submissions",
    routes: (deps, { visitors, limits }) => submissionPages(deps, visitors, limits.register),
    prune: { run: pruneUploads, failure: "Old uploads could not be deleted", isAlsoAtStart: true },
  },
  { name: "whole/operator", operations: operatorOperations },
  { name: "whole/ownership" },
];

/** Returns every operation of the modules. */
export const operationsOf = (deps: Deps, parts: Parts): readonly Operation[] =>
  MODULES.flatMap(({ operations = [] }) =>
    typeof operations === "function" ? operations(deps, parts) : operations,
  );

/** Returns every route of the modules. */
export const routesOf = (deps: Deps, parts: Parts): readonly Route[] =>
  MODULES.flatMap(({ routes }) => routes?.(deps, parts) ?? []);
