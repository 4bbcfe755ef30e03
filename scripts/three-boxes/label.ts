import { noise } from "../rack/trials.ts";
import type { Box } from "./boxes.ts";

/** The bytes of a WAV of noise of about two seconds. */
const FILE_BYTES = 400_000;
const PASSWORD = "a long password";
/** Nothing answers for so long; the proxies wait 5 s for a machine. */
const PATIENCE_MS = 15_000;

/** A label with its account, as its people see it: one host name behind the proxy. */
export type Label = {
  host: string;
  email: string;
  key: string;
  token: string;
  /** Sends a request through the proxy. */
  ask: (path: string, init?: RequestInit) => Promise<Response>;
};

/** Makes a label's account on its box. */
export async function createLabel(box: Box, host: string, proxyPort: number): Promise<Label> {
  const email = `${host.split(".")[0]}@example.com`;
  await box.dubplate("account", "create", "--email", email, "--name", host, "--password", PASSWORD);
  const [key] = await box.dubplate("key", "create", "--email", email, "--name", "three boxes");
  const [session] = await box.dubplate("session", "create", "--email", email);
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${proxyPort}${path}`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...init,
      headers: { host: `${host}:${proxyPort}`, ...init.headers },
      redirect: "manual",
    });
  return { host, email, key: key?.key ?? "", token: session?.token ?? "", ask };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the service, read as they are
type Data = any;

/** Calls the service and returns its whole answer. @throws Error unless it is a success. */
export async function call(
  { ask, key, token }: Label,
  method: string,
  path: string,
  body?: unknown,
): Promise<Data> {
  const isForm = body instanceof FormData;
  const way = path.startsWith("/app/") ? { authorization: `Bearer ${token}` } : { "x-api-key": key };
  const response = await ask(path, {
    method,
    headers: { ...way, ...(body !== undefined && !isForm && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}

let made = 0;
/** Returns a file that no other has the bytes of. */
export function newFile(): File {
  const bytes = noise(FILE_BYTES, made++ % 256);
  return new File([bytes], `noise ${made}.wav`, { type: "audio/wav" });
}

/** Uploads a file in a form. Returns the track's id. */
export async function upload(label: Label): Promise<string> {
  const form = new FormData();
  form.append("files", newFile());
  return (await call(label, "POST", "/api/v1/tracks/upload", form)).data.uploaded[0].id;
}

/** Lists the ids of a label's tracks, newest first. */
export async function trackIds(label: Label): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ""; ; ) {
    const { data, paging } = await call(label, "GET", `/api/v1/tracks?limit=100${cursor}`);
    ids.push(...data.map(({ id }: Data) => id));
    if (paging.next_cursor === null) return ids;
    cursor = `&cursor=${paging.next_cursor}`;
  }
}

/** Returns where a track's file plays, as a path behind the proxy. */
export async function filePath(label: Label, trackId: string): Promise<string> {
  const { data } = await call(label, "GET", `/api/v1/tracks/${trackId}/versions`);
  const { pathname, search } = new URL(data.versions[0].downloadUrl);
  return `${pathname}${search}`;
}

/** Everything of a label that must be the same after a move: each file's hash, each link's answer, each playlist. */
export async function fingerprint(label: Label): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  for (const id of await trackIds(label)) {
    const bytes = await (await label.ask(await filePath(label, id))).arrayBuffer();
    seen[id] = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  }
  for (const { url } of (await call(label, "GET", "/app/shares")).data) {
    const response = await label.ask(new URL(url).pathname);
    seen[url] = `${response.status} ${/<title>([^<]*)/.exec(await response.text())?.[1]}`;
  }
  for (const { id, name } of (await call(label, "GET", "/api/v1/playlists")).data) {
    const { data } = await call(label, "GET", `/api/v1/playlists/single/${id}`);
    seen[id] = `${name}: ${JSON.stringify(data)
      .match(/"trk_\w+"/g)
      ?.join()}`;
  }
  return seen;
}
