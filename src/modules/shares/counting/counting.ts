import type { Deps } from "../../../kernel/deps.ts";
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
export type Counting = {
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

/** Makes the notes of views, plays and downloads. What cannot be noted is logged, and stops nobody's music. */
export function createCounting(deps: Pick<Deps, "db" | "now" | "log">): Counting {
  const views = createViewNotes(deps);
  const plays = createPlayNotes(deps);
  const downloads = createDownloadNotes(deps);
  const calmly = (work: () => void) => {
    try {
      work();
    } catch (error) {
      deps.log("error", "What was done by a link could not be noted", { error });
    }
  };
  return {
    onPageView: (view) => calmly(() => views.onPageView(view)),
    onSeen: (share, visitId) => calmly(() => views.onSeen(share, visitId)),
    serve: (file, response) => {
      if (file.request.method !== "GET") return response;
      let answer = response;
      calmly(() => {
        if (file.use === "download") return downloads.onServed(file, response);
        const { share, visitId } = file;
        // Whoever plays something has seen the page, whatever became of the word of it.
        if (plays.isFirst(file) && visitId !== undefined) views.onSeen(share, visitId);
        answer = plays.serve(file, response);
      });
      return answer;
    },
    onHeard: (heard) => calmly(() => plays.onHeard(heard)),
    flush: () =>
      calmly(() => {
        plays.flush();
        downloads.flush();
      }),
  };
}
