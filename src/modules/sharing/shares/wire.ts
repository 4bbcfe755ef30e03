import type { Deps } from "../../../kernel/deps.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import type { ShareActivity as ActivityRow } from "../../library/analytics/service.ts";
import { publicPageUrl } from "./links.ts";
import type { ShareRow } from "./queries.ts";
import type { Share, ShareActivity } from "./shapes.ts";

/** What says whether a link opens its page. */
type Life = Pick<ShareRow, "revokedAt" | "expiresAt" | "maxUses" | "uses" | "turned">;

/** True unless the owner has turned a link off, or has not turned it on yet. */
export function isTurnedOn({ turned }: Pick<ShareRow, "turned">): boolean {
  return turned === null || turned === "on";
}

/** True while a link opens its page: turned on, not revoked, not expired, not used up. */
export function isLive({ turned, revokedAt, expiresAt, maxUses, uses }: Life, at: number): boolean {
  const isOver = expiresAt !== null && expiresAt <= at;
  const isUsedUp = maxUses !== null && uses >= maxUses;
  return isTurnedOn({ turned }) && revokedAt === null && !isOver && !isUsedUp;
}

/** Returns a link as its owner sees it: everything except the password. */
export function toShare(deps: Pick<Deps, "now" | "settings">, row: ShareRow, name: string | null): Share {
  return {
    id: row.id,
    entity: row.entity,
    entityId: row.entityId,
    name,
    link: row.token,
    url: publicPageUrl(deps, row.entity, row.token),
    hasPassword: row.passwordHash !== null,
    expiresAt: toIsoOrNull(row.expiresAt),
    maxUses: row.maxUses,
    uses: row.uses,
    allowDownload: row.allowDownload,
    allowComments: row.allowComments,
    allowReview: row.allowReview,
    showDetails: row.showDetails,
    recipient: row.recipient,
    active: isLive(row, deps.now()),
    createdAt: toIso(row.createdAt),
    revokedAt: toIsoOrNull(row.revokedAt),
  };
}

/** Returns a row of the log as the owner of the link sees it. */
export function toActivity({ at, leftOut, ...row }: ActivityRow): ShareActivity {
  return { ...row, sentAt: at, counted: leftOut === null, leftOut };
}
