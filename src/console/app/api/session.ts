import { signal } from "@preact/signals";
import { account, root } from "../first-data.ts";

/** True from the end of the session until the owner has signed in again. */
export const isSignedOut = signal(false);

/** Tabs share the session, so they share its end: who signs in, does so for all. */
const channel =
  "BroadcastChannel" in window ? new BroadcastChannel(`dubplate session ${root} ${account.id}`) : undefined;
if (channel)
  channel.onmessage = ({ data }: MessageEvent<"ended" | "back">) => {
    if (data === "ended") void signedInAgain();
    else goOn();
  };

let waiting: { promise: Promise<void>; resolve: () => void } | undefined;

/** Opens "Sign in again"; returns after the sign-in. Requests that failed in the meantime are then repeated. */
export function signedInAgain(): Promise<void> {
  if (!waiting) {
    waiting = Promise.withResolvers<void>();
    isSignedOut.value = true;
    channel?.postMessage("ended");
  }
  return waiting.promise;
}

/** Closes "Sign in again" and lets the requests go on. */
export function sessionIsBack(): void {
  channel?.postMessage("back");
  goOn();
}

function goOn(): void {
  isSignedOut.value = false;
  waiting?.resolve();
  waiting = undefined;
}
