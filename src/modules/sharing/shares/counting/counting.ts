import { conditionOf } from "../../../../kernel/condition.ts";
import type { Deps } from "../../../../kernel/deps.ts";
import { createKeeping } from "../../../../kernel/keeping.ts";
import { isFullDisk } from "../../../../kernel/trouble.ts";
import type { ShareRow } from "../queries.ts";
import { createDownloadNotes } from "./downloads.ts";
import { createPlayNotes, type Heard } from "./plays.ts";
import type { SharedFile } from "./shared-file.ts";
import { createViewNotes, type PageView } from "./visits.ts";

export type { Heard } from "./plays.ts";
export type { PageView } from "./visits.ts";

/** Records what people do with links. */
export type Counting = {
  onPageView: (view: PageView) => void;
  /** Records that a browser showed the page of a visit. */
  onSeen: (share: ShareRow, visitId: string) => void;
  /** Takes the answer with the file, and returns the one to send. */
  serve: (file: SharedFile, response: Response) => Response;
  /** Records a file of an archive as its bytes begin; the result is called when they have all been sent. */
  onPacked: (file: SharedFile) => () => void;
  /** Records the parts of a track that a page's script reports as heard. */
  onHeard: (heard: Heard) => void;
  /** Writes the current listens and downloads, and forgets old ones; all of them with `isLast`, when nothing is on its way any more. */
  flush: (isLast?: boolean) => void;
};

const FAILURE = "Activity through a link could not be recorded";

/**
 * Makes the recorder of views, plays and downloads. A failure to record is logged and does not stop the music. On a full
 * disk, activity is kept and recorded later.
 */
export function createCounting(deps: Pick<Deps, "db" | "now" | "log">): Counting {
  const views = createViewNotes(deps);
  const plays = createPlayNotes(deps);
  const downloads = createDownloadNotes(deps);
  const keeping = createKeeping(deps, FAILURE);
  const onSeen = (share: ShareRow, visitId: string) => keeping.attempt(() => views.onSeen(share, visitId));
  /** What stays in hand is written by a later flush. */
  const calmly = (work: () => void) => {
    try {
      work();
    } catch (error) {
      if (!isFullDisk(error)) deps.log("error", FAILURE, { error });
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
        // A visitor who plays something has seen the page, even if the page's report was lost.
        if (plays.isFirst(file) && visitId !== undefined) onSeen(share, visitId);
        answer = plays.serve(file, response);
      });
      return answer;
    },
    onPacked: (file) => {
      const at = deps.now();
      let isSent = false;
      let settle: (() => void) | undefined;
      keeping.attempt(() => {
        settle = downloads.onPacked(file, at);
        if (isSent) settle();
      });
      return () => {
        isSent = true;
        settle?.();
      };
    },
    onHeard: (heard) => calmly(() => plays.onHeard(heard)),
    flush: (isLast = false) => {
      keeping.retry();
      calmly(plays.flush);
      calmly(() => downloads.flush(isLast));
    },
  };
}
