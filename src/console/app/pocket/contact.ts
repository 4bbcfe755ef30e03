import { effect, signal } from "@preact/signals";
import { connectionFailed, isConnected } from "../api/connection.ts";
import { root } from "../first-data.ts";
import { clear } from "../player/player.ts";
import { sendOutbox } from "./outbox.ts";
import { comments, device, readComments, readShelf } from "./shelf.ts";
import { askState, CHANNEL, type DeviceRow, wipe } from "./store.ts";

/** What is known of the server: it is away, is back, wants a sign-in, or has withdrawn the copies. */
export const contact = signal<"away" | "back" | "signedOut" | "withdrawn">("away");

/** Looks for the server for as long as the document is open, and brings it what waits. */
export function watchContact(): void {
  connectionFailed();
  effect(() => {
    if (!isConnected.value) contact.value = contact.peek() === "withdrawn" ? "withdrawn" : "away";
    else void meet().catch(() => undefined);
  });
  new BroadcastChannel(CHANNEL).onmessage = ({ data }: MessageEvent<"changed" | "withdrawn">) =>
    void (data === "withdrawn" ? letGo() : readShelf(device.peek()?.libraryId ?? null));
}

async function meet(): Promise<void> {
  const own = device.peek();
  if (own && (await askState(own)) === "withdrawn") return withdraw(own);
  contact.value = (await isSignedIn(own)) ? "back" : "signedOut";
  if (own && contact.peek() === "back") await deliver(own);
}

/** Sends what waits, where there is a session. */
export async function deliver(own: DeviceRow): Promise<void> {
  const sent = await sendOutbox(own);
  if (sent === "signedOut") contact.value = "signedOut";
  if (sent === "lost") connectionFailed();
  await readComments();
}

async function withdraw(own: DeviceRow): Promise<void> {
  // A track that follows, or a listen, would open again what is being deleted.
  clear();
  await wipe(own);
  await letGo();
}

/** The copies are gone: nothing of them may play on. */
async function letGo(): Promise<void> {
  const before = device.peek();
  await readShelf(before?.libraryId ?? null);
  if (before?.id === device.peek()?.id) return;
  clear();
  comments.value = [];
  // As before: something may have played until now.
  if (before) await wipe(before);
  contact.value = "withdrawn";
}

async function isSignedIn(own: DeviceRow | undefined): Promise<boolean> {
  const headers = own ? { "x-library": own.libraryId } : {};
  const response = await fetch(`${root}/auth/session`, { headers }).catch(() => undefined);
  return response?.status !== 401;
}
