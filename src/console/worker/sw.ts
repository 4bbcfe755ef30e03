/**
 * The worker of the installed console. It answers a document only when the server cannot be reached, and
 * then with one that shows what the device keeps. It touches neither sounds nor what the API answers, and stores nothing else of the server.
 *
 * Served as one script, with `SHELL` in front; see `worker-routes.tsx`.
 */
import { keepShared } from "../app/pocket/shared.ts";
import {
  AUDIO_CACHE,
  askState,
  BE_PATIENT,
  CHANNEL,
  type DeviceRow,
  prefixOf,
  readRows,
  SHELL_CACHE,
  wipe,
} from "../app/pocket/store.ts";

declare const self: ServiceWorkerGlobalScope;
/** The offline document and what it loads, with whole paths; `build` names this set of them. */
declare const SHELL: { root: string; build: string; document: string; files: readonly string[] };

const CACHE = SHELL_CACHE + SHELL.build;
/** How long a server that can hardly be reached is waited for. */
const PATIENCE_MS = 4000;

/** Set when somebody has chosen the server over what is kept: the next document comes when it comes. */
let isPatient = false;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data, ports }) => {
  if (data !== BE_PATIENT) return;
  isPatient = true;
  ports[0]?.postMessage(data);
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && pathname === `${SHELL.root}/library/share`)
    event.respondWith(takeShared(request));
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(navigate(event));
  else if (SHELL.files.includes(pathname)) event.respondWith(fromShell(request));
});

/** Keeps what another app shares. The console shows it, and sends nothing before somebody says so. */
async function takeShared(request: Request): Promise<Response> {
  const uploads = `${SHELL.root}/library/uploads?shared=`;
  try {
    const values = [...(await request.formData()).values()];
    await keepShared(
      SHELL.root,
      values.filter((value) => value instanceof File),
    );
    return Response.redirect(`${uploads}1`, 303);
  } catch {
    return Response.redirect(`${uploads}full`, 303);
  }
}

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const document = new Request(SHELL.document, { cache: "no-store", credentials: "omit" });
  await cache.addAll([document, ...SHELL.files.map((file) => new Request(file))]);
  await self.skipWaiting();
}

async function activate(): Promise<void> {
  const names = (await caches.keys()).filter((name) => name.startsWith(SHELL_CACHE) && name !== CACHE);
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** An answer of the server is passed on, whatever it is. */
async function navigate(event: FetchEvent): Promise<Response> {
  const answer = fetch(event.request);
  answer.catch(() => undefined);
  const waits = isPatient;
  isPatient = false;
  try {
    const isHurried = !waits && (await caches.has(AUDIO_CACHE));
    const response = await (isHurried ? Promise.race([answer, tooLate()]) : answer);
    // A page that asks for a sign-in does not look after what is kept.
    if (!response.ok) event.waitUntil(askForDevices());
    return response;
  } catch (thrown) {
    const kept = await (await caches.open(CACHE)).match(SHELL.document, { ignoreVary: true });
    if (!kept) throw thrown;
    return kept;
  }
}

const tooLate = () => new Promise<never>((_, reject) => setTimeout(reject, PATIENCE_MS));

/** Their names change with what is in them. */
async function fromShell(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(request, { ignoreVary: true });
  return kept ?? fetch(request);
}

/** Deletes the copies of devices whose copies were withdrawn, also when nobody is signed in. */
async function askForDevices(): Promise<void> {
  if (!(await caches.has(AUDIO_CACHE))) return;
  for (const device of await readRows<DeviceRow>("devices", prefixOf(SHELL)))
    if ((await askState(device)) === "withdrawn") {
      await wipe(device);
      new BroadcastChannel(CHANNEL).postMessage("withdrawn");
    }
}
