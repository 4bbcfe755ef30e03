import { conditionOf } from "../../../kernel/condition.ts";
import type { Deps } from "../../../kernel/deps.ts";
import { createKeeping } from "../../../kernel/keeping.ts";
import { isFullDisk } from "../../../kernel/trouble.ts";
import type { ShareRow } from "../queries.ts";
import { createDownloadNotes } from "./downloads.ts";
import { createPlayNotes, type Heard } from "./plays.ts";
import { createViewNotes, type PageView } from "./visits.ts";

export type { Heard } from "./plays.ts";
export type { PageView } from "./visits.ts";

/** A file that a link's page gave out. */
export type SharedFile = {
  share: ShareRow;
  request: Request;
  visitId: string | undefined;
  use: "listen" | "download";
  trackId: string;
  versionId: string;
  path: string;
  sizeBytes: number;
  /** Null: not measured. */
  durationSec: number | null;
  /** Address of the client, which is not written down. */
  client: string;
  isOwner: () => boolean;
};

/** What is noticed of what people do with links. */
export type Listening = {
  onPageView: (view: PageView) => void;
  /** A browser showed the page of a visit. */
  onSeen: (share: ShareRow, visitId: string) => void;
  /** Gets the answer that carries the file, and gives back the one to send. */
  serve: (file: SharedFile, response: Response) => Response;
  /** A page's script tells what of a track was heard. */
  onHeard: (heard: Heard) => void;
  /** Writes what is known of listens and downloads in hand, and forgets old ones. */
  flush: () => void;
};

/**
 * Makes the notes of views, plays and downloads. What cannot be noted is logged, or noted later when the disk is full,
 * and stops nobody's music.
 */
export function createListening(deps: Pick<Deps, "db" | "now" | "log">): Listening {
  const views = createViewNotes(deps);
  const plays = createPlayNotes(deps);
  const downloads = createDownloadNotes(deps);
  const keeping = createKeeping(deps, "What was done by a link could not be noted");
  const onSeen = (share: ShareRow, visitId: string) => keeping.attempt(() => views.onSeen(share, visitId));
  /** What stays in hand is written by a later flush. */
  const calmly = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isFullDisk(error)) deps.log("error", "What was heard by a link could not be noted", { error });
      conditionOf(deps.db).report(error);
    }
  };
  return {
    onPageView: (view) => {
      const at = deps.now();
      keeping.attempt(() => views.onPageView(view, at));
    },
    onSeen,
    serve: (file, response) => {
      if (file.request.method !== "GET") return response;
      if (file.use === "download") {
        const at = deps.now();
        keeping.attempt(() => downloads.onServed(file, response, at));
        return response;
      }
      const { share, visitId } = file;
      let answer = response;
      calmly(() => {
        // Whoever plays something has seen the page, whatever became of the word of it.
        if (plays.isFirst(file) && visitId !== undefined) onSeen(share, visitId);
        answer = plays.serve(file, response);
      });
      return answer;
    },
    onHeard: (heard) => calmly(() => plays.onHeard(heard)),
    flush: () => {
      keeping.retry();
      calmly(plays.flush);
      calmly(downloads.flush);
    },
  };
}
