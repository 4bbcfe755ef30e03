import type { Operation } from "../http/operation.ts";
import type { Deps } from "../kernel/deps.ts";
import type { Turns } from "../kernel/turns.ts";
import { briefOperations } from "./briefs/briefs/operations.ts";
import { inboxOperations } from "./briefs/inbox/operations.ts";
import { albumOperations } from "./library/albums/operations.ts";
import { workOperations } from "./library/analysis/elsewhere/operations.ts";
import { autoTagOperations } from "./library/analysis/operations.ts";
import { analyticsOperations } from "./library/analytics/operations.ts";
import { binOperations } from "./library/bin/operations.ts";
import { composerOperations } from "./library/composers/operations.ts";
import { deskOperations } from "./library/desk/operations.ts";
import { intakeOperations } from "./library/intake/operations.ts";
import { playlistOperations } from "./library/playlists/operations.ts";
import { saveOperations } from "./library/saves/operations.ts";
import { tagOperations } from "./library/tags/operations.ts";
import { trackOperations } from "./library/tracks/operations.ts";
import { trackUploadOperations } from "./library/tracks/upload/operations.ts";
import { uploadOperations } from "./library/uploads/operations.ts";
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
import { type AccountParts, accountOperations } from "./people/accounts/operations.ts";
import { brandOperations } from "./people/brand/operations.ts";
import { type KeyParts, keyOperations } from "./people/keys/operations.ts";
import { notificationOperations } from "./people/notifications/operations.ts";
import { grantOperations } from "./people/oauth/operations.ts";
import { platformOperations } from "./people/platform/operations.ts";
import { historyOperations } from "./search/history/operations.ts";
import { searchOperations } from "./search/search/operations.ts";
import { commentOperations } from "./sharing/comments/operations.ts";
import { insightOperations } from "./sharing/insights/operations.ts";
import { listeningOperations } from "./sharing/shares/listening/operations.ts";
import { shareOperations } from "./sharing/shares/operations.ts";
import { operatorOperations, type ServerParts } from "./whole/operator/operations.ts";

/** What some operations need beside {@link Deps}: what lives as long as the service. */
export type Parts = { turns: Turns } & AccountParts &
  KeyParts &
  AssistantParts &
  LiveParts &
  ServiceParts &
  ServerParts;

/** Returns every operation of the modules. */
export const operationsOf = (deps: Deps, parts: Parts): readonly Operation[] => [
  ...accountOperations(parts),
  ...keyOperations(parts),
  ...grantOperations,
  ...platformOperations,
  ...notificationOperations,
  ...brandOperations,
  ...webhookOperations,
  ...liveOperations(parts),
  ...assistantOperations(parts),
  ...ownUndoOperations,
  ...serviceOperations(parts),
  ...trackOperations(deps),
  ...trackUploadOperations,
  ...versionOperations,
  ...versionUploadOperations,
  ...uploadOperations(parts),
  ...intakeOperations(parts),
  ...albumOperations,
  ...playlistOperations,
  ...binOperations,
  ...composerOperations,
  ...deskOperations(deps),
  ...tagOperations,
  ...autoTagOperations,
  ...workOperations,
  ...analyticsOperations,
  ...saveOperations,
  ...shareOperations,
  ...listeningOperations,
  ...commentOperations,
  ...insightOperations,
  ...searchOperations(deps),
  ...historyOperations,
  ...briefOperations,
  ...inboxOperations,
  ...operatorOperations(deps, parts),
];
