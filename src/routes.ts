import { Elysia } from "elysia";
import type { Deprecations } from "./http/front/deprecation.ts";
import type { Guards } from "./http/guards.ts";
import type { Deps } from "./kernel/deps.ts";
import type { Turns } from "./kernel/turns.ts";
import { programName } from "./library.ts";
import { albumRoutes } from "./modules/albums/routes.ts";
import { workRoutes } from "./modules/analysis/elsewhere/routes.ts";
import { autoTagRoutes } from "./modules/analysis/routes.ts";
import { analyticsRoutes } from "./modules/analytics/routes.ts";
import { binRoutes } from "./modules/bin/routes.ts";
import { accentRoutes, brandRoutes } from "./modules/brand/routes.ts";
import { appBriefRoutes } from "./modules/briefs/app-routes.ts";
import { briefRoutes } from "./modules/briefs/routes.ts";
import { commentKeyRoutes } from "./modules/comments/key-routes.ts";
import { commentRoutes } from "./modules/comments/routes.ts";
import { appComposerRoutes } from "./modules/composers/app-routes.ts";
import { composerRoutes } from "./modules/composers/routes.ts";
import { bulkKeyRoutes } from "./modules/desk/bulk-key-routes.ts";
import { deskRoutes } from "./modules/desk/routes.ts";
import { historyRoutes } from "./modules/history/routes.ts";
import { packRoutes } from "./modules/inbox/pack-routes.ts";
import { inboxRoutes } from "./modules/inbox/routes.ts";
import { insightRoutes } from "./modules/insights/routes.ts";
import { intakeKeyRoutes } from "./modules/intake/key-routes.ts";
import { intakeRoutes } from "./modules/intake/routes.ts";
import { notificationKeyRoutes } from "./modules/notifications/key-routes.ts";
import { notificationRoutes } from "./modules/notifications/routes.ts";
import { grantRoutes } from "./modules/oauth/grants-routes.ts";
import { serverAccountRoutes } from "./modules/operator/account-routes.ts";
import { serverRoutes } from "./modules/operator/routes.ts";
import { platformRoutes } from "./modules/platform/routes.ts";
import { playlistCardRoutes } from "./modules/playlists/card-routes.ts";
import { playlistRoutes } from "./modules/playlists/routes.ts";
import { saveRoutes } from "./modules/saves/routes.ts";
import { searchRoutes } from "./modules/search/routes.ts";
import { versionRoutes } from "./modules/service/routes.ts";
import { shareKeyRoutes } from "./modules/shares/key-routes.ts";
import { linkRoutes } from "./modules/shares/link-routes.ts";
import { listeningKeyRoutes } from "./modules/shares/listening/key-routes.ts";
import { listeningRoutes } from "./modules/shares/listening/routes.ts";
import { shareRoutes } from "./modules/shares/routes.ts";
import { tagEditRoutes } from "./modules/tags/edit-routes.ts";
import { tagRoutes } from "./modules/tags/routes.ts";
import { detailsRoutes } from "./modules/tracks/details/details-routes.ts";
import { trackRoutes } from "./modules/tracks/routes.ts";
import { shareholderRoutes } from "./modules/tracks/shareholder-routes.ts";
import { uploadRoutes } from "./modules/tracks/upload/upload-routes.ts";
import { urlUploadRoutes } from "./modules/tracks/upload/upload-url-routes.ts";
import { waitRoutes } from "./modules/tracks/wait-routes.ts";
import { keyUploadRoutes, ownerUploadRoutes } from "./modules/uploads/routes.ts";
import { versionsRoutes } from "./modules/versions/routes.ts";
import { sheetRoutes } from "./modules/versions/sheet-routes.ts";
import { versionSoundRoutes } from "./modules/versions/sound-routes.ts";
import { versionUploadRoutes } from "./modules/versions/upload-routes.ts";
import { webhookKeyRoutes } from "./modules/webhooks/key-routes.ts";
import { appWebhookRoutes } from "./modules/webhooks/routes.ts";

/** Everything under `/api/v1`. */
export function apiRoutes(deps: Deps, guard: Guards, turns: Turns, deprecations: Deprecations) {
  return new Elysia({ prefix: "/api/v1" })
    .use(versionRoutes(deps, guard, deprecations))
    .use(uploadRoutes(deps, guard))
    .use(urlUploadRoutes(deps, guard))
    .use(detailsRoutes(deps, guard))
    .use(trackRoutes(deps, guard))
    .use(bulkKeyRoutes(deps, guard))
    .use(waitRoutes(deps, guard))
    .use(versionsRoutes(deps, guard))
    .use(versionSoundRoutes(deps, guard))
    .use(versionUploadRoutes(deps, guard))
    .use(searchRoutes(deps, guard))
    .use(playlistRoutes(deps, guard))
    .use(composerRoutes(deps, guard))
    .use(shareholderRoutes(deps, guard))
    .use(briefRoutes(deps, guard))
    .use(analyticsRoutes(deps, guard))
    .use(platformRoutes(deps, guard))
    .use(workRoutes(deps, guard))
    .use(autoTagRoutes(deps, guard))
    .use(tagRoutes(deps, guard))
    .use(shareKeyRoutes(deps, guard))
    .use(listeningKeyRoutes(deps, guard))
    .use(commentKeyRoutes(deps, guard))
    .use(notificationKeyRoutes(deps, guard))
    .use(webhookKeyRoutes(deps, guard))
    .use(keyUploadRoutes(deps, guard, turns))
    .use(intakeKeyRoutes(deps, guard, turns));
}

/** Everything under `/app`: what a signed-in person does. */
export function appRoutes(deps: Deps, guard: Guards, turns: Turns) {
  return new Elysia()
    .use(appWebhookRoutes(deps, guard))
    .use(appBriefRoutes(deps, guard))
    .use(inboxRoutes(deps, guard))
    .use(packRoutes(deps, guard))
    .use(appComposerRoutes(deps, guard))
    .use(deskRoutes(deps, guard))
    .use(playlistCardRoutes(deps, guard))
    .use(linkRoutes(deps, guard))
    .use(listeningRoutes(deps, guard))
    .use(insightRoutes(deps, guard))
    .use(brandRoutes(deps, guard))
    .use(accentRoutes())
    .use(serverRoutes(deps, guard, { program: programName(deps), backups: () => backupTimes(deps) }))
    .use(serverAccountRoutes(deps, guard))
    .use(binRoutes(deps, guard))
    .use(ownerUploadRoutes(deps, guard, turns))
    .use(albumRoutes(deps, guard))
    .use(intakeRoutes(deps, guard))
    .use(sheetRoutes(deps, guard))
    .use(tagEditRoutes(deps, guard))
    .use(commentRoutes(deps, guard))
    .use(saveRoutes(deps, guard))
    .use(notificationRoutes(deps, guard))
    .use(historyRoutes(deps, guard))
    .use(grantRoutes(deps, guard))
    .use(shareRoutes(deps, guard));
}

/** The code of backups is loaded only when somebody asks. */
async function backupTimes({ settings }: Pick<Deps, "settings">) {
  const { readBackupState } = await import("./backup/state.ts");
  return readBackupState(settings);
}
