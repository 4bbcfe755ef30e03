import { signal } from "@preact/signals";

/** True while the session has ended and nobody has signed in again. */
export const isSignedOut = signal(false);

let waiting: { promise: Promise<void>; resolve: () => void } | undefined;

/** Opens "Sign in again"; returns when somebody has signed in. Requests that failed meanwhile are then repeated. */
export function signedInAgain(): Promise<void> {
  waiting ??= Promise.withResolvers<void>();
  isSignedOut.value = true;
  return waiting.promise;
}

/** Closes "Sign in again" and lets the requests go on. */
export function sessionIsBack(): void {
  isSignedOut.value = false;
  waiting?.resolve();
  waiting = undefined;
}
