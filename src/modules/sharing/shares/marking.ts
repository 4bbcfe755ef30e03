import type { Deps } from "../../../kernel/deps.ts";
import { prepareCopy } from "../marks/service.ts";
import { selectVersions } from "./page-queries.ts";
import { openedWith } from "./player/set.ts";
import type { ShareRow } from "./queries.ts";
import { isOnOrComing } from "./wire.ts";

/** Longer lists are prepared as they are played. */
const MOST_AT_ONCE = 50;

/**
 * Has what a link plays prepared for its recipient, before they open it. Call it in the transaction that made or changed the link.
 */
export function prepareLink(deps: Pick<Deps, "db" | "now" | "settings">, share: ShareRow): void {
  if (!share.isMarked || !isOnOrComing(share, deps.now())) return;
  for (const version of versionsOf(deps, share).slice(0, MOST_AT_ONCE))
    prepareCopy(deps, share, version, "listen");
}

function versionsOf({ db }: Pick<Deps, "db">, share: ShareRow) {
  if (share.entity === "playlist") return selectVersions(db, share);
  return openedWith(db, share).map(({ row: { id: trackId, versionId, mediaType } }) => ({
    trackId,
    versionId,
    mediaType,
  }));
}
