import { href } from "../first-data.ts";
import { isConnected } from "./connection.ts";
import { changed, queryClient, readJson, type Topic } from "./queries.ts";

/** A change of the account's things, by any door; `ids` null: read everything of the topic anew. */
type Change = { topic: Topic; ids: string[] | null };
/** What the tabs of a browser tell each other. */
type Told = { lastId: string } & ({ change: Change } | { isLost: true });

const NAME = "dubplate-events";
const POLL_MS = 5000;
/** The browser reconnects a stream by itself unless the server refused it; then this is waited for. */
const REOPEN_MS = 10_000;

/**
 * Follows the account's changes, in every tab. A browser opens only six connections to a server, so the tabs elect one by a
 * lock: it listens, and tells the others. When it closes, another goes on from the last event. Browsers have locks only at
 * https and localhost; elsewhere each tab asks every few seconds while it is shown.
 */
export function followChanges(): void {
  if ("locks" in navigator && "BroadcastChannel" in window) listen();
  else poll();
}

function hear({ topic, ids }: Change): void {
  changed(topic, ids);
}

/** Events may be missing: everything is read anew. */
function lose(): void {
  void queryClient.invalidateQueries();
  changed("tracks", null);
}

function listen(): void {
  const channel = new BroadcastChannel(NAME);
  let lastId = "";
  const take = (told: Told) => {
    lastId = told.lastId;
    if ("change" in told) hear(told.change);
    else lose();
  };
  channel.onmessage = ({ data }: MessageEvent<Told>) => take(data);
  const share = (told: Told) => {
    channel.postMessage(told);
    take(told);
  };
  const open = () => {
    const source = new EventSource(
      href(`/app/events${lastId === "" ? "" : `?after=${encodeURIComponent(lastId)}`}`),
    );
    source.onmessage = ({ lastEventId, data }) => share({ lastId: lastEventId, change: JSON.parse(data) });
    source.addEventListener("lost", ({ lastEventId }) => share({ lastId: lastEventId, isLost: true }));
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, REOPEN_MS);
    };
  };
  // Held until the tab closes.
  void navigator.locks.request(NAME, () => new Promise<never>(open)).catch(() => undefined);
}

function poll(): void {
  let after = "";
  const ask = async () => {
    if (document.visibilityState !== "visible" || !isConnected.value) return;
    const { data } = await readJson<{ data: { after: string; lost: boolean; changes: Change[] } }>(
      `/app/changes${after === "" ? "" : `?after=${encodeURIComponent(after)}`}`,
    );
    after = String(data.after);
    if (data.lost) lose();
    else data.changes.forEach(hear);
  };
  setInterval(() => void ask().catch(() => undefined), POLL_MS);
}
