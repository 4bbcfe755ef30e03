import type { Deps } from "../../../kernel/deps.ts";
import { toIso, toIsoOrNull } from "../../../kernel/time.ts";
import { type ShareActivity as ActivityRow, listUnusedShares } from "../../library/analytics/service.ts";
import { selectLastAnswers } from "./answers/queries.ts";
import { toLinkAnswer } from "./answers/wire.ts";
import { publicPageUrl } from "./links.ts";
import { type ShareRow, selectEntityNames } from "./queries.ts";
import type { Share, ShareActivity } from "./shapes.ts";

/** What says whether a link opens its page. */
type Life = Pick<ShareRow, "revokedAt" | "expiresAt" | "notBefore" | "maxUses" | "uses" | "turned">;

/** True unless the owner has turned a link off, or has not turned it on yet. */
export function isTurnedOn({ turned }: Pick<ShareRow, "turned">): boolean {
  return turned === null || turned === "on";
}

/** True before the time at which a link opens. */
export function isEarly({ notBefore }: Pick<ShareRow, "notBefore">, at: number): boolean {
  return notBefore !== null && notBefore > at;
}

/** True while a link opens its page: turned on, its time has come, not revoked, not expired, not used up. */
export function isLive(life: Life, at: number): boolean {
  return isOnOrComing(life, at) && !isEarly(life, at);
}

/** True while a link opens its page, or will by itself. */
export function isOnOrComing(
  { turned, revokedAt, expiresAt, maxUses, uses }: Omit<Life, "notBefore">,
  at: number,
): boolean {
  const isOver = expiresAt !== null && expiresAt <= at;
  const isUsedUp = maxUses !== null && uses >= maxUses;
  return isTurnedOn({ turned }) && revokedAt === null && !isOver && !isUsedUp;
}

type WireDeps = Pick<Deps, "db" | "now" | "settings">;

/** Returns links as their owner sees them: everything except the passwords. */
export function toShares(
  deps: WireDeps,
  rows: readonly ShareRow[],
  names: ReadonlyMap<string, string>,
): Share[] {
  const ids = rows.map(({ id }) => id);
  const answers = selectLastAnswers(deps.db, ids);
  const unused = new Set(listUnusedShares(deps.db, ids));
  return rows.map((row) => {
    const answer = answers.get(row.id);
    return {
      ...settingsOf(deps, row),
      name: names.get(row.entityId) ?? null,
      answer: answer ? toLinkAnswer(answer) : null,
      opened: answer !== undefined || !unused.has(row.id),
    };
  });
}

function settingsOf(deps: WireDeps, row: ShareRow): Omit<Share, "name" | "answer" | "opened"> {
  return {
    id: row.id,
    entity: row.entity,
    entityId: row.entityId,
    link: row.token,
    url: publicPageUrl(deps, row.entity, row.token),
    hasPassword: row.passwordHash !== null,
    expiresAt: toIsoOrNull(row.expiresAt),
    notBefore: toIsoOrNull(row.notBefore),
    maxUses: row.maxUses,
    uses: row.uses,
    allowDownload: row.allowDownload,
    allowComments: row.allowComments,
    allowReview: row.allowReview,
    askAnswer: row.askAnswer,
    showDetails: row.showDetails,
    wholeFamily: row.wholeFamily,
    showLyrics: row.showLyrics,
    isMarked: row.isMarked,
    noteParts: row.noteParts,
    recipient: row.recipient,
    recipientEmail: row.recipientEmail,
    active: isLive(row, deps.now()),
    createdAt: toIso(row.createdAt),
    revokedAt: toIsoOrNull(row.revokedAt),
  };
}

/** Returns a row of the log as the owner of the link sees it. */
export function toActivity({ at, leftOut, ...row }: ActivityRow): ShareActivity {
  return { ...row, sentAt: at, counted: leftOut === null, leftOut };
}

/** Returns one link as {@link toShares} does. */
export function named(deps: WireDeps, row: ShareRow): Share {
  const [share] = toShares(deps, [row], selectEntityNames(deps.db, [row.entityId]));
  if (!share) throw new RangeError("A link is a share");
  return share;
}
