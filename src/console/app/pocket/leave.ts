import { isReachable } from "../api/connection.ts";
import { noConnection } from "../api/errors.ts";
import { account, root } from "../first-data.ts";
import { confirmFinal } from "../ui/dialog.tsx";
import { counted } from "../ui/numbers.ts";
import { isComment, type OutboxRow } from "./outbox.ts";
import { dropShared, readShared } from "./shared.ts";
import { type DeviceRow, prefixOf, readRows, SHELL_CACHE, type TrackRow } from "./store.ts";
import { forget } from "./sync.ts";

/** The server is told as far as it can be, but not waited for. */
const PATIENCE_MS = 3000;

/**
 * Asks before signing out, and then deletes what this person keeps here, of every library: nothing is kept behind a
 * sign-out. Returns whether to go on.
 *
 * @throws ApiError `no_connection`, when everything is deleted but the server cannot be reached.
 */
export async function leaveNothing(): Promise<boolean> {
  const prefix = prefixOf({ root, accountId: account.id });
  const tracks = await readRows<TrackRow>("tracks", prefix);
  const unsent = (await readRows<OutboxRow>("outbox", prefix)).filter(isComment);
  const shared = await readShared(root);
  const kept = counted(tracks.filter(({ sound }) => sound).length, "track");
  const question = `Sign out and remove ${kept} from this device?`;
  if (!(await confirmFinal(question, "Sign out and remove", lossOf(unsent.length, shared.length))))
    return false;
  const devices = await readRows<DeviceRow>("devices", prefix);
  await dropShared(shared);
  if (await forget({ root, accountId: account.id })) await forgetWorker();
  await Promise.all(devices.map(withdraw));
  if (!(await isReachable())) throw noConnection();
  return true;
}

function lossOf(comments: number, shared: number): string | undefined {
  const lost = [
    comments > 0 && `${counted(comments, "comment")} ${comments === 1 ? "has" : "have"} not been sent yet`,
    shared > 0 && `${counted(shared, "shared file")} ${shared === 1 ? "is" : "are"} not in your library yet`,
  ].filter((each) => each !== false);
  return lost.length === 0 ? undefined : `${lost.join(", ")}, and will be lost.`;
}

/** While somebody else keeps something here, the worker stays. */
async function forgetWorker(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration(`${root}/library`);
  await worker?.unregister();
  for (const name of await caches.keys()) if (name.startsWith(SHELL_CACHE)) await caches.delete(name);
}

async function withdraw({ id, libraryId }: DeviceRow): Promise<void> {
  await fetch(`${root}/app/pocket/${id}`, {
    method: "DELETE",
    headers: { "x-library": libraryId },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch(() => undefined);
}
