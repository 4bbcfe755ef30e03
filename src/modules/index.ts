import type { Operation } from "../http/operation.ts";
import type { Route } from "../http/route.ts";
import type { Deps } from "../kernel/deps.ts";
import { briefOperations } from "./briefs/briefs/operations.ts";
import { rehashSubmitters, transferBriefs } from "./briefs/briefs/service.ts";
import { inboxOperations } from "./briefs/inbox/operations.ts";
import { pruneUploads } from "./briefs/submissions/prune.ts";
import { packageOperations } from "./delivery/packages/operations.ts";
import { transferPackages } from "./delivery/packages/transfer.ts";
import { paperOperations } from "./delivery/papers/operations.ts";
import { supplyOperations } from "./delivery/supply/operations.ts";
import { albumOperations } from "./library/albums/operations.ts";
import { moveArrivals } from "./library/albums/service.ts";
import { workOperations } from "./library/analysis/elsewhere/operations.ts";
import { analyseWaiting, analysisJobs, recoverAnalysisJobs } from "./library/analysis/jobs.ts";
import { autoTagOperations } from "./library/analysis/operations.ts";
import { transferLearning } from "./library/analysis/service.ts";
import { analyticsOperations } from "./library/analytics/operations.ts";
import { transferActivity } from "./library/analytics/service.ts";
import { artworkRoutes } from "./library/artwork/routes.ts";
import { binOperations } from "./library/bin/operations.ts";
import { pruneBin } from "./library/bin/service.ts";
import { transferTracks } from "./library/catalog/service.ts";
import { composerOperations } from "./library/composers/operations.ts";
import { transferComposers } from "./library/composers/service.ts";
import { deskOperations } from "./library/desk/operations.ts";
import { forgetUndos, transferUndos } from "./library/desk/service.ts";
import { familyOperations } from "./library/families/operations.ts";
import { transferFamilies } from "./library/families/service.ts";
import { mediaRoutes } from "./library/files/routes.ts";
import { intakeOperations } from "./library/intake/operations.ts";
import { transferIntakes } from "./library/intake/service.ts";
import { kinshipJobs } from "./library/kinship/jobs.ts";
import { kinshipOperations } from "./library/kinship/operations.ts";
import { lyricsOperations } from "./library/lyrics/operations.ts";
import { playlistOperations } from "./library/playlists/operations.ts";
import { transferPlaylists } from "./library/playlists/service.ts";
import { readinessOperations } from "./library/readiness/operations.ts";
import { transferLimits } from "./library/readiness/service.ts";
import { transferMixOffers, transferRecordings } from "./library/recordings/service.ts";
import { makeMissing, renditionJobs } from "./library/renditions/jobs.ts";
import { rightsOperations } from "./library/rights/operations.ts";
import { transferRights } from "./library/rights/service.ts";
import { saveOperations } from "./library/saves/operations.ts";
import { transferSaves } from "./library/saves/service.ts";
import { makeMissingSounds, soundJobs } from "./library/sounds/jobs.ts";
import { packSounds } from "./library/sounds/service.ts";
import { tagOperations } from "./library/tags/operations.ts";
import { transferTags } from "./library/tags/service.ts";
import { trackOperations } from "./library/tracks/operations.ts";
import { trackUploadOperations } from "./library/tracks/upload/operations.ts";
import { uploadOperations } from "./library/uploads/operations.ts";
import { pruneOwnerUploads } from "./library/uploads/service.ts";
import { versionOperations } from "./library/versions/operations.ts";
import { versionUploadOperations } from "./library/versions/upload-operations.ts";
import { mailOperations } from "./mail/outbox/operations.ts";
import { pruneMails, resealMails, transferMails } from "./mail/outbox/service.ts";
import type { Module, Parts } from "./module.ts";
import { assistantOperations, ownUndoOperations } from "./outward/assistant/operations.ts";
import { pruneCalls } from "./outward/assistant/service.ts";
import { digestOperations } from "./outward/digests/operations.ts";
import { liveOperations } from "./outward/live/operations.ts";
import { documentRoutes } from "./outward/service/document-routes.ts";
import { serviceOperations } from "./outward/service/operations.ts";
import { webhookOperations } from "./outward/webhooks/operations.ts";
import { pruneDeliveries, resealWebhooks } from "./outward/webhooks/service.ts";
import { privatePages, sharePages, stopPages, submissionPages, supplyPages } from "./pages.ts";
import { PEOPLE } from "./people/modules.ts";
import { POCKET } from "./pocket/modules.ts";
import { ledgerOperations } from "./proof/ledger/operations.ts";
import { eraseDue, resealLogs, transferLogs } from "./proof/ledger/service.ts";
import { SEARCH } from "./search/modules.ts";
import { SHARING } from "./sharing/modules.ts";
import { answerOperations } from "./sharing/shares/answers/operations.ts";
import { shareJobs } from "./sharing/shares/jobs.ts";
import { listeningOperations } from "./sharing/shares/listening/operations.ts";
import { shareOperations } from "./sharing/shares/operations.ts";
import { transferShares } from "./sharing/shares/service.ts";
import { operatorOperations } from "./whole/operator/operations.ts";

/** What {@link MODULES} lists, with the types of its operations. */
const LISTED = [
  ...PEOPLE,
  {
    name: "outward/webhooks",
    operations: webhookOperations,
    prune: { run: pruneDeliveries, failure: "Old webhook deliveries could not be deleted" },
    sealed: { webhooks: resealWebhooks },
  },
  { name: "mail/letters" },
  {
    name: "mail/outbox",
    operations: mailOperations,
    routes: stopPages,
    prune: { run: pruneMails, failure: "Old mails could not be deleted", isAlsoAtStart: true },
    transfer: transferMails,
    exported: () => import("./mail/outbox/export.ts"),
    sealed: { mails: resealMails },
  },
  { name: "outward/live", operations: (_, parts) => liveOperations(parts) },
  {
    name: "outward/assistant",
    operations: (_, parts) => [...assistantOperations(parts), ...ownUndoOperations],
    prune: { run: pruneCalls, failure: "Old calls of assistants could not be deleted" },
  },
  { name: "outward/digests", operations: digestOperations },
  {
    name: "outward/service",
    operations: (_, parts) => serviceOperations(parts),
    routes: (_, { documentText }) => documentRoutes(documentText),
  },
  {
    name: "library/catalog",
    transfer: transferTracks,
    exported: () => import("./library/catalog/export.ts"),
  },
  { name: "library/tracks", operations: (deps) => [...trackOperations(deps), ...trackUploadOperations] },
  {
    name: "library/readiness",
    operations: readinessOperations,
    transfer: transferLimits,
    exported: () => import("./library/readiness/export.ts"),
  },
  { name: "library/versions", operations: [...versionOperations, ...versionUploadOperations] },
  { name: "library/files", routes: mediaRoutes },
  { name: "library/artwork", routes: artworkRoutes },
  { name: "library/renditions", jobs: renditionJobs, recoverLater: makeMissing },
  {
    name: "library/families",
    operations: familyOperations,
    transfer: transferFamilies,
    exported: () => import("./library/families/export.ts"),
  },
  { name: "library/kinship", operations: kinshipOperations, jobs: kinshipJobs },
  { name: "library/recordings", transfer: transferMixOffers, transferSome: transferRecordings },
  {
    name: "library/uploads",
    operations: (_, parts) => uploadOperations(parts),
    prune: {
      run: pruneOwnerUploads,
      failure: "Old uploads of owners could not be ended",
      isAlsoAtStart: true,
    },
  },
  {
    name: "library/intake",
    operations: (_, parts) => intakeOperations(parts),
    transfer: transferIntakes,
    exported: () => import("./library/intake/export.ts"),
  },
  { name: "library/albums", operations: albumOperations, transfer: moveArrivals },
  {
    name: "library/playlists",
    operations: playlistOperations,
    transfer: transferPlaylists,
    exported: () => import("./library/playlists/export.ts"),
  },
  {
    name: "library/bin",
    operations: binOperations,
    prune: { run: pruneBin, failure: "The bin could not be emptied" },
  },
  {
    name: "library/composers",
    operations: composerOperations,
    transfer: transferComposers,
    exported: () => import("./library/composers/export.ts"),
  },
  {
    name: "library/rights",
    operations: rightsOperations,
    transfer: transferRights,
    exported: () => import("./library/rights/export.ts"),
  },
  {
    name: "library/desk",
    operations: deskOperations,
    prune: { run: forgetUndos, failure: "Old undos could not be deleted" },
    transfer: transferUndos,
  },
  {
    name: "library/tags",
    operations: tagOperations,
    transfer: transferTags,
    exported: () => import("./library/tags/export.ts"),
  },
  {
    name: "library/analysis",
    operations: [...autoTagOperations, ...workOperations],
    jobs: analysisJobs,
    recover: recoverAnalysisJobs,
    recoverLater: analyseWaiting,
    transfer: transferLearning,
  },
  {
    name: "library/analytics",
    operations: analyticsOperations,
    transfer: transferActivity,
    exported: () => import("./library/analytics/export.ts"),
  },
  {
    name: "library/lyrics",
    operations: lyricsOperations,
    exported: () => import("./library/lyrics/export.ts"),
  },
  {
    name: "library/saves",
    operations: saveOperations,
    transfer: transferSaves,
    exported: () => import("./library/saves/export.ts"),
  },
  {
    name: "library/sounds",
    jobs: soundJobs,
    recover: makeMissingSounds,
    prune: { run: packSounds, failure: "The vectors of tracks could not be moved together" },
  },
  {
    name: "sharing/shares",
    jobs: shareJobs,
    operations: [...shareOperations, ...listeningOperations, ...answerOperations],
    routes: (deps, parts) => [...sharePages(deps, parts), ...privatePages(deps, parts)],
    transfer: transferShares,
    exported: () => import("./sharing/shares/export.ts"),
  },
  ...SHARING,
  ...POCKET,
  { name: "delivery/papers", operations: paperOperations },
  { name: "delivery/supply", operations: supplyOperations, routes: supplyPages },
  ...SEARCH,
  {
    name: "briefs/briefs",
    operations: briefOperations,
    transfer: transferBriefs,
    exported: () => import("./briefs/briefs/export.ts"),
    sealed: { submitters: rehashSubmitters },
  },
  { name: "briefs/inbox", operations: inboxOperations },
  {
    name: "briefs/submissions",
    routes: submissionPages,
    prune: { run: pruneUploads, failure: "Old uploads could not be deleted", isAlsoAtStart: true },
  },
  {
    name: "delivery/packages",
    operations: packageOperations,
    transfer: transferPackages,
    exported: () => import("./delivery/packages/export.ts"),
  },
  {
    name: "proof/ledger",
    operations: ledgerOperations,
    prune: { run: eraseDue, failure: "What records say of deleted tracks could not be erased" },
    transfer: transferLogs,
    exported: () => import("./proof/ledger/export.ts"),
    sealed: { ledgers: resealLogs },
  },
  { name: "whole/operator", operations: operatorOperations },
  { name: "whole/ownership" },
] satisfies readonly Module[];

/** Every module, with what it contributes. In this order, operations stand in the document, and the rest is run. */
export const MODULES: readonly Module[] = LISTED;

type OperationIn<Contributed> = Contributed extends { operations: infer Own }
  ? Own extends readonly (infer Each)[] | ((deps: Deps, parts: Parts) => readonly (infer Each)[])
    ? Each
    : never
  : never;
/** Every operation, as the compiler knows it. */
export type AnyOperation = OperationIn<(typeof LISTED)[number]>;

/** Returns every operation of the modules. */
export const operationsOf = (deps: Deps, parts: Parts): readonly Operation[] =>
  MODULES.flatMap(({ operations = [] }) =>
    typeof operations === "function" ? operations(deps, parts) : operations,
  );

/** Returns every route of the modules. */
export const routesOf = (deps: Deps, parts: Parts): readonly Route[] =>
  MODULES.flatMap(({ routes }) => routes?.(deps, parts) ?? []);
