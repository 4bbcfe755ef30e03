import { type Db, transact } from "../../../../../db/client.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { listVisitorActivity, recordActivity, settleActivity } from "../../../library/analytics/service.ts";
import type { ShareRow } from "../queries.ts";
import { isPrefetch, reasonOf } from "./audience.ts";
import { AGAIN_MS, activityOf, visitName } from "./notes.ts";

/** A requested page of a link. */
export type PageView = {
  share: ShareRow;
  request: Request;
  /** Undefined for an unidentified client, such as a bot. */
  visitId: string | undefined;
  isOwner: boolean;
};

/**
 * Makes the recorder of views. A view counts only once the page was seen: a browser that shows it reports that,
 * with its script or, without one, with an image. A gateway that fetches links in mails does neither, whatever its
 * user agent.
 */
export function createViewNotes({ db, now }: Pick<Deps, "db" | "now">) {
  const lately = (tx: Db, share: ShareRow, visitId: string) =>
    listVisitorActivity(tx, {
      shareId: share.id,
      visit: visitName(visitId),
      metric: "views",
      entityId: share.entityId,
      since: now() - AGAIN_MS,
    });

  return {
    onPageView: ({ share, request, visitId, isOwner }: PageView, at: number): void => {
      const fetched = reasonOf(request) ?? (isPrefetch(request) ? "prefetch" : undefined);
      transact(db, (tx) => {
        const isAgain = visitId !== undefined && lately(tx, share, visitId).some(isCounted);
        const leftOut = isOwner ? "owner" : (fetched ?? (isAgain ? "repeat" : "unseen"));
        recordActivity(tx, { ...activityOf(share, "views", visitId), leftOut }, at);
      });
    },
    onSeen: (share: ShareRow, visitId: string): void => {
      if (!lately(db, share, visitId).some(isUnseen)) return;
      transact(db, (tx) => {
        const views = lately(tx, share, visitId);
        const view = views.find(isUnseen);
        if (view) settleActivity(tx, view.seq, views.some(isCounted) ? "repeat" : null);
      });
    },
  };
}

const isCounted = ({ leftOut }: { leftOut: string | null }) => leftOut === null;
const isUnseen = ({ leftOut }: { leftOut: string | null }) => leftOut === "unseen";
