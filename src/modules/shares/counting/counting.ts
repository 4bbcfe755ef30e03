import type { Deps } from "../../../kernel/deps.ts";
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
  /** Records the parts of a track that a page's script reports as heard. */
  onHeard: (heard: Heard) => void;
  /** Writes the current listens and downloads, and forgets old ones. */
  flush: () => void;
};

/** Makes the recorder of views, plays and downloads. A failure to record is logged and does not stop the music. */
export function createCounting(deps: Pick<Deps, "db" | "now" | "log">): Counting {
  const views = createViewNotes(deps);
  const plays = createPlayNotes(deps);
  const downloads = createDownloadNotes(deps);
  const calmly = (work: () => void) => {
    try {
      work();
    } catch (error) {
      deps.log("error", "Activity through a link could not be recorded", { error });
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
        // A visitor who plays something has seen the page, even if the page's report was lost.
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
