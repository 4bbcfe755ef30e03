import { isbot } from "isbot";
import { transact } from "../../../db/client.ts";
import type { Deps } from "../../kernel/deps.ts";
import { type Activity, createDownloadCounter, recordActivity } from "../analytics/service.ts";
import type { ShareRow } from "./queries.ts";

/** A page of a link that was shown. */
export type PageView = {
  share: ShareRow;
  request: Request;
  /** Undefined: nobody in particular, such as a machine. */
  visitId: string | undefined;
  /** The first page of a visit; a reload is not. */
  isNew: boolean;
  isOwner: boolean;
};

/** A file that a link's page gave out. */
export type SharedFile = {
  share: ShareRow;
  request: Request;
  visitId: string | undefined;
  use: "listen" | "download";
  trackId: string;
  versionId: string;
  /** Address of the client, which is not written down. */
  client: string;
};

/** What is noticed of what people do with links. */
export type Listening = {
  onPageView: (view: PageView) => void;
  /** Gets the answer that carries the file, and gives back the one to send. */
  serve: (file: SharedFile, response: Response) => Response;
};

/** Makes the notes of views and downloads. */
export function createListening(deps: Pick<Deps, "db" | "now" | "log">): Listening {
  const countDownload = createDownloadCounter(deps);
  return {
    onPageView: ({ share, request, isNew, isOwner }) => {
      const isMachineRequest = isMachine(request);
      if (!isNew && !isMachineRequest && !isOwner) return;
      const leftOut = isOwner ? "owner" : isMachineRequest ? "machine" : undefined;
      const { ownerId, entity, entityId, recipient: name, id: shareId } = share;
      const actor: Activity["actor"] = { type: "visitor", name };
      const view: Activity = { ownerId, entity, entityId, metric: "views", actor, shareId };
      transact(deps.db, (tx) =>
        recordActivity(tx, { ...view, ...(leftOut && { leftOut }) } as Activity, deps.now()),
      );
    },
    serve: ({ request, use, versionId, client }, response) =>
      use === "download" ? countDownload(request, response, { versionId, client }) : response,
  };
}

/** True for what asks on nobody's behalf: crawlers, link previews, and requests for the header alone. */
export function isMachine({ method, headers }: Request): boolean {
  return method === "HEAD" || isbot(headers.get("user-agent") ?? "bot");
}

/** True when a browser fetches a page that nobody has asked for yet. */
export function isPrefetch({ headers }: Request): boolean {
  const purpose = `${headers.get("sec-purpose")} ${headers.get("purpose")} ${headers.get("x-moz")}`;
  return /prefetch|prerender|preview/i.test(purpose);
}
