import { device } from "./shelf.ts";
import { BE_PATIENT } from "./store.ts";

/** How long a worker is waited for; an older one answers nothing. */
const ASKED_MS = 500;

/** Goes to the server, which has the address that was asked for, or the sign-in page before it. */
export async function openLibrary(): Promise<void> {
  await askForPatience();
  const own = device.peek();
  const { pathname } = location;
  const place = own ? `${own.root}/library` : pathname.replace(/(\/library)(\/.*)?$/, "$1");
  location.assign(pathname.endsWith("/library/offline") ? place : location.href);
}

/** Otherwise a server that is always slow could never be reached from here. */
function askForPatience(): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  navigator.serviceWorker.controller?.postMessage(BE_PATIENT, [port2]);
  const told = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  return Promise.race([told, new Promise((resolve) => setTimeout(resolve, ASKED_MS))]);
}
