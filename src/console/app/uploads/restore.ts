import { canAddTracks } from "../api/library.ts";
import { bytesOf } from "./bytes.ts";
import { look, settle } from "./offers.ts";
import { sendNext } from "./queue.ts";
import { reachedOf } from "./send.ts";
import { note, show, toUpload, type Upload, uploads } from "./state.ts";
import { forget, type Remembered, remember, remembered } from "./store.ts";
import { alone, openTabs, thisTab } from "./tabs.ts";
import { followWaiting } from "./waiting.ts";

/**
 * Shows the uploads that were on their way when this tab, or a closed one, was left. Those that are complete are finished; the
 * rest waits until its file is chosen again. Then shows the undecided files of other browsers.
 */
export async function startUploads(): Promise<void> {
  if (!canAddTracks()) return;
  const mine = await claim();
  if (mine.every(({ made }) => made)) {
    followWaiting();
    return forget(mine.map(({ id }) => id));
  }
  const found = mine.map((about) =>
    toUpload(about, {
      state: about.made ? "done" : "missing",
      sentBytes: about.made ? about.size : about.reached,
    }),
  );
  for (const upload of found) {
    upload.file = upload.about.made ? undefined : await bytesOf(upload.id);
    if (upload.file) show(upload, { state: "waiting" });
  }
  uploads.value = [...found, ...uploads.value];
  followWaiting();
  look(found.filter(({ file }) => file));
  sendNext();
  for (const upload of found) if (upload.now.peek().state === "missing") await ask(upload);
}

/** Makes the files of closed tabs this tab's own. */
async function claim(): Promise<Remembered[]> {
  const tab = await thisTab;
  return alone("claim", async () => {
    const others = await openTabs();
    others.delete(tab);
    const mine = (await remembered()).filter((file) => !others.has(file.tab));
    const claimed = mine.map((file) => ({ ...file, tab }));
    await remember(claimed);
    return claimed;
  });
}

async function ask(upload: Upload): Promise<void> {
  const { url, size } = upload.about;
  const reached = url === "" ? undefined : await reachedOf(url);
  // It may have been chosen again meanwhile.
  if (reached === undefined || upload.now.peek().state !== "missing") return;
  note(upload, { reached });
  show(upload, { sentBytes: reached });
  if (reached < size) return;
  look([upload]);
  await settle(upload, true);
}
