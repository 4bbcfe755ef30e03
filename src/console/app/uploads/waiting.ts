import { batch } from "@preact/signals";
import { type AnswerOf, onChanged, readJson } from "../api/queries.ts";
import { href } from "../first-data.ts";
import { idOf } from "./finish.ts";
import { offerOf, settleElsewhere } from "./offers.ts";
import { isOwn, takeOff, toUpload, type Upload, uploads } from "./state.ts";
import { owner } from "./store.ts";
import { thisTab } from "./tabs.ts";

type Answer = AnswerOf<"/app/uploads/waiting">;
type Waiting = Answer["data"][number];

/** While files arrive everywhere, the list is read so often for each of its pages. */
const EVERY_MS = 1000;

let isReading = false;
let isOld = false;

/** Shows the files of the account that wait on the server for their owner to say what they are, whichever browser sent them. */
export function followWaiting(): void {
  onChanged((topic, ids) => {
    if (topic === "uploads" || (topic === "tracks" && isOffered(ids))) void readAnew();
  });
  void readAnew();
}

const isAsking = ({ state }: Upload) => state.peek() === "asking";

/** True when one of the tracks is offered by a file that waits. */
const isOffered = (ids: readonly string[] | null) =>
  uploads.peek().some((upload) => {
    const offer = upload.offer.peek();
    return isAsking(upload) && offer !== undefined && (ids === null || ids.includes(offer.trackId));
  });

async function readAnew(): Promise<void> {
  isOld = true;
  if (isReading) return;
  isReading = true;
  try {
    while (isOld) {
      isOld = false;
      const pages = await readPages();
      take(pages.flat(), await thisTab);
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS * pages.length));
    }
  } catch {
    // It is read again once there is a connection.
  } finally {
    isReading = false;
  }
}

async function readPages(): Promise<Waiting[][]> {
  const pages: Waiting[][] = [];
  for (let cursor = ""; ; ) {
    const { data, paging } = await readJson(`/app/uploads/waiting?limit=200${cursor}`);
    pages.push(data);
    if (paging.next_cursor === null) return pages;
    cursor = `&cursor=${encodeURIComponent(paging.next_cursor)}`;
  }
}

/** Shows the waiting files, and removes those decided elsewhere. */
function take(all: readonly Waiting[], tab: string): void {
  const others = new Map(all.map((waiting) => [waiting.id, waiting]));
  const known = uploads.peek();
  batch(() => {
    for (const upload of known.filter(isAsking)) offer(upload, others.get(idOf(upload)));
    const gone = known.filter((upload) => isAsking(upload) && !others.has(idOf(upload)));
    for (const upload of gone) if (isOwn(upload)) void settleElsewhere(upload);
    takeOff(gone.filter((upload) => !isOwn(upload)));
    for (const upload of known) others.delete(idOf(upload));
    if (others.size > 0) uploads.value = [...uploads.peek(), ...[...others.values()].map(toLine(tab))];
  });
}

/** The track may have another title since, or be gone. */
function offer(upload: Upload, waiting: Waiting | undefined): void {
  if (!waiting) return;
  const [before, now] = [upload.offer.peek(), offerOf(waiting)];
  if (before?.trackId !== now?.trackId || before?.title !== now?.title) upload.offer.value = now;
}

const toLine =
  (tab: string) =>
  (waiting: Waiting): Upload => {
    const { id, path, sizeBytes: size } = waiting;
    const about = { id, key: "", owner, tab, path, size, modified: 0, reached: size };
    const upload = toUpload(
      { ...about, url: href(`/app/uploads/${id}`) },
      { state: "asking", sentBytes: size },
    );
    upload.offer.value = offerOf(waiting);
    return upload;
  };
