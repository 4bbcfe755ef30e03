import { account, firstSeq, hrefInside, root } from "../first-data.ts";
import { connectionFailed, isConnected, whenConnected } from "./connection.ts";
import { isChanging } from "./in-turn.ts";
import { type Elsewhere, leftFor, library, readRole } from "./library.ts";
import { changed, queryClient, readJson, TOPICS, type Topic } from "./queries.ts";

/** A change of the account's things, by any door; `ids` null: read everything of the topic again. */
type Change = { topic: Topic; ids: readonly string[] | null };
/** What changed up to the change `seq`. `lost`: the server does not know everything any more. */
type News = { seq: string; changes: readonly Change[]; lost: boolean };

/** Tabs of other people or libraries, or of another server of the same address, share nothing. */
const NAME = `dubplate ${root} ${account.id} ${library.peek().id}`;
const POLL_MS = 5000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** Changes heard within this time are read together. */
const GATHER_MS = 50;
/** A change of this tab that takes longer than this does not hold back the changes of others. */
const LONGEST_HOLD_MS = 3000;

/** Everything up to this change is known: at first that of the document. */
let seq = firstSeq;

/**
 * Follows the account's changes, in every tab, from those that the document knows on. A browser opens only six connections
 * to a server, so the tabs elect one by a lock: it listens, and tells the others. When it closes, another goes on from the
 * last event. Browsers have locks only at https and localhost; elsewhere each tab asks every few seconds while it is shown.
 */
export function followChanges(): void {
  void ("locks" in navigator && "BroadcastChannel" in window ? share() : poll());
  // A page that the browser had put to sleep heard nothing.
  addEventListener("pageshow", ({ persisted }) => persisted && readAll());
}

async function share(): Promise<void> {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<News | "gone" | { left: Elsewhere }>) => {
    if (data === "gone") connectionFailed();
    else if ("left" in data) leftFor.value ??= data.left;
    else take(data);
  };
  const tell = (news: News) => {
    channel.postMessage(news);
    take(news);
  };
  isConnected.subscribe((isThere) => isThere || channel.postMessage("gone"));
  leftFor.subscribe((left) => left && channel.postMessage({ left }));
  const lead = (lock: Lock | null) => lock && new Promise<never>(() => void listen(tell));
  await navigator.locks.request(NAME, { ifAvailable: true }, lead);
  // Another tab listens: only what it told before this one could hear is missing.
  void ask().then(take, () => undefined);
  await navigator.locks.request(NAME, lead);
}

/** Keeps a stream open. Between two streams it asks for missed changes, which also tells why the stream ended. */
async function listen(tell: (news: News) => void): Promise<never> {
  for (let pauseMs = FIRST_PAUSE_MS; ; ) {
    const wasOpen = await stream(tell);
    pauseMs = wasOpen ? FIRST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    await ask().then(tell, () => whenConnected());
    // A stream also ends with the role that it was opened with.
    await readRole();
    if (leftFor.peek()) return new Promise<never>(() => undefined);
    await pause(pauseMs);
  }
}

/** Opens a stream, and tells what it says until it ends. Returns true when it was open. */
function stream(tell: (news: News) => void): Promise<boolean> {
  return new Promise((resolve) => {
    let wasOpen = false;
    const source = new EventSource(hrefInside(`/app/events?after=${encodeURIComponent(seq)}`));
    source.onopen = () => {
      wasOpen = true;
    };
    source.onmessage = ({ lastEventId, data }) =>
      tell({ seq: lastEventId, changes: [JSON.parse(data)], lost: false });
    source.addEventListener("lost", ({ lastEventId }) => tell({ seq: lastEventId, changes: [], lost: true }));
    source.addEventListener("left", ({ data }) => {
      leftFor.value = { other: JSON.parse(data).other ?? undefined };
    });
    source.onerror = () => {
      // Browsers differ in when they try again by themselves.
      source.close();
      resolve(wasOpen);
    };
  });
}

async function poll(): Promise<never> {
  for (;;) {
    await pause(POLL_MS);
    await shown();
    if (isConnected.value) await ask().then(take, () => undefined);
  }
}

/** Asks for the changes since the last one heard. When the session has ended, it waits for a new sign-in. */
async function ask(): Promise<News> {
  const { data } = await readJson(`/app/changes?after=${encodeURIComponent(seq)}`);
  return data;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function shown(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      document.removeEventListener("visibilitychange", look);
      resolve();
    };
    document.addEventListener("visibilitychange", look);
    look();
  });
}

function take(news: News): void {
  ({ seq } = news);
  if (news.lost) readAll();
  else for (const change of news.changes) gather(change);
}

/** Changes that were heard, and what shows does not show yet. */
const gathered = new Map<Topic, Set<string> | null>();
let gatheredAt = 0;

function gather({ topic, ids }: Change): void {
  if (gathered.size === 0) {
    gatheredAt = performance.now();
    setTimeout(show, GATHER_MS);
  }
  const before = gathered.get(topic);
  gathered.set(topic, ids === null || before === null ? null : new Set([...(before ?? []), ...ids]));
}

/**
 * Reads what is shown again. It waits for what is being read, which would begin again, and for a change of this tab, which
 * shows before the server has it.
 */
function show(): void {
  const isHeld = isChanging() && performance.now() - gatheredAt < LONGEST_HOLD_MS;
  if (isHeld || queryClient.isFetching() > 0) {
    setTimeout(show, GATHER_MS);
    return;
  }
  for (const [topic, ids] of gathered) changed(topic, ids && [...ids]);
  gathered.clear();
}

/** Reads everything again: events may be missing, or the person may see other things. */
export function readAll(): void {
  void queryClient.invalidateQueries();
  for (const topic of TOPICS) changed(topic, null);
}
