import type { Operation } from "../http/operation.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Turns } from "../kernel/turns.ts";
import { albumOperations } from "./library/albums/operations.ts";
import { workOperations } from "./library/analysis/elsewhere/operations.ts";
import { autoTagOperations } from "./library/analysis/operations.ts";
import { analyticsOperations } from "./library/analytics/operations.ts";
import { binOperations } from "./library/bin/operations.ts";
import { composerRightsOperations } from "./library/composers/app-operations.ts";
import { composerOperations } from "./library/composers/operations.ts";
import { bulkOperations } from "./library/desk/bulk/operations.ts";
import { commonOperations } from "./library/desk/common/operations.ts";
import { downloadOperations } from "./library/desk/download/operations.ts";
import { firstStepsOperations } from "./library/desk/first-steps/operations.ts";
import { mergeOperations } from "./library/desk/merge/operations.ts";
import { tableOperations } from "./library/desk/table/operations.ts";
import { intakeOperations, takeOperations } from "./library/intake/operations.ts";
import { playlistCardOperations } from "./library/playlists/card-operations.ts";
import { playlistOperations } from "./library/playlists/operations.ts";
import { saveOperations } from "./library/saves/operations.ts";
import { tagOperations } from "./library/tags/operations.ts";
import { trackOperations, waitOperations } from "./library/tracks/operations.ts";
import { trackUploadOperations } from "./library/tracks/upload/operations.ts";
import { arrivedOperations, uploadOperations } from "./library/uploads/operations.ts";
import { uploadOptionOperations, uploadPieceOperations } from "./library/uploads/piece-operations.ts";
import { versionOperations } from "./library/versions/operations.ts";
import { versionUploadOperations } from "./library/versions/upload-operations.ts";
import {
  type AssistantParts,
  assistantOperations,
  ownUndoOperations,
} from "./outward/assistant/operations.ts";
import { type LiveParts, liveOperations } from "./outward/live/operations.ts";
import { type ServiceParts, serviceOperations } from "./outward/service/operations.ts";
import { webhookOperations } from "./outward/webhooks/operations.ts";
import { ownWebhookOperations } from "./outward/webhooks/own-operations.ts";
import { type AccountParts, accountOperations } from "./people/accounts/operations.ts";
import { brandOperations } from "./people/brand/operations.ts";
import { type KeyParts, keyOperations } from "./people/keys/operations.ts";
import { notificationOperations } from "./people/notifications/operations.ts";
import { grantOperations } from "./people/oauth/operations.ts";
import { platformOperations } from "./people/platform/operations.ts";
import { listeningOperations } from "./sharing/shares/listening/operations.ts";
import { shareOperations } from "./sharing/shares/operations.ts";

/** What some operations need beside {@link Deps}: what lives as long as the service. */
export type Parts = { turns: Turns } & AccountParts & KeyParts & AssistantParts & LiveParts & ServiceParts;

/** Returns every operation of the modules. */
export const operationsOf = (deps: Deps, parts: Parts): readonly Operation[] => [
  ...accountOperations(parts),
  ...keyOperations(parts),
  ...grantOperations,
  ...platformOperations,
  ...notificationOperations,
  ...brandOperations,
  ...webhookOperations,
  ...ownWebhookOperations,
  ...liveOperations(parts),
  ...assistantOperations(parts),
  ...ownUndoOperations,
  ...serviceOperations(parts),
  ...trackOperations,
  ...waitOperations(deps),
  ...trackUploadOperations,
  ...uploadPieceOperations(parts),
  ...uploadOptionOperations,
  ...uploadOperations(parts),
  ...arrivedOperations,
  ...takeOperations(parts),
  ...intakeOperations,
  ...albumOperations,
  ...versionOperations,
  ...versionUploadOperations,
  ...playlistCardOperations,
  ...playlistOperations,
  ...binOperations,
  ...composerRightsOperations,
  ...composerOperations,
  ...tableOperations,
  ...bulkOperations,
  ...commonOperations,
  ...mergeOperations,
  ...downloadOperations(deps),
  ...firstStepsOperations,
  ...tagOperations,
  ...autoTagOperations,
  ...workOperations,
  ...analyticsOperations,
  ...saveOperations,
  ...shareOperations,
  ...listeningOperations,
];
