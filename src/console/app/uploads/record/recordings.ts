import { effect, signal } from "@preact/signals";
import { addUploads } from "../queue.ts";
import { uploads } from "../state.ts";
import { fileOf, forgetRecordings, type Recording, readRecordings } from "./store.ts";

/** Recordings that the server does not have. */
export const recordings = signal<readonly Recording[]>([]);

/** Reads them again. A browser that keeps nothing has none. */
export function refreshRecordings(): void {
  void readRecordings()
    .then((all) => {
      recordings.value = all;
    })
    .catch(() => undefined);
}

/** Sends a recording to the library. It is kept here until it has arrived. */
export async function addRecording(recording: Recording): Promise<void> {
  const file = await fileOf(recording);
  addUploads([{ file, path: file.name }]);
  const stop = effect(() => {
    const sent = uploads.value.find(({ about }) => about.path === file.name && about.size === file.size);
    if (sent?.state.value !== "done") return;
    queueMicrotask(() => stop());
    void forgetRecordings([recording.id]).then(refreshRecordings);
  });
}

/** Deletes a recording for good. */
export async function throwAway({ id }: Recording): Promise<void> {
  await forgetRecordings([id]);
  refreshRecordings();
}
