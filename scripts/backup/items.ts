import type { Random } from "../../src/demo/dsp/random.ts";
import { makeSound } from "../chaos/sounds.ts";

/** Whom a server is used as. */
export type Client = { address: string; key: string; token: string };

/** Something that a server said it made, and that nothing changes afterwards. */
export type Item =
  | { kind: "track"; id: string; sha256: string }
  | { kind: "playlist"; id: string }
  | { kind: "composer"; id: string }
  | { kind: "share"; id: string; page: string }
  | { kind: "key"; id: string; secret: string };

/** No answer came: the server is gone. */
export class GoneError extends Error {}

/** Calls the API. @throws GoneError; Error for a refusal. */
export async function call(
  client: Client,
  method: string,
  path: string,
  body?: object | FormData,
): Promise<unknown> {
  const isForm = body instanceof FormData;
  const response = await send(client, method, path, {
    headers: isForm || !body ? {} : { "content-type": "application/json" },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  if (response.status === 200) return (JSON.parse(response.text) as { data: unknown }).data;
  throw new Error(`${method} ${path} was answered ${response.status}: ${response.text}`);
}

async function send({ address, key, token }: Client, method: string, path: string, init: RequestInit) {
  const credential: Record<string, string> = path.startsWith("/api/v1/")
    ? { "x-api-key": key }
    : { authorization: `Bearer ${token}` };
  const headers = { ...credential, ...(init.headers as Record<string, string>), connection: "close" };
  try {
    const response = await fetch(`${address}${path}`, { ...init, method, headers });
    return { status: response.status, text: await response.text() };
  } catch (error) {
    throw new GoneError("No answer came", { cause: error });
  }
}

/** Makes one item of a kind that chance decides. */
export async function makeItem(client: Client, tracks: readonly string[], random: Random): Promise<Item> {
  const name = `Item ${Math.floor(random() * 2 ** 40).toString(36)}`;
  const some = [0, 1].flatMap(() => tracks[Math.floor(random() * tracks.length)] ?? []);
  const chance = random();
  if (chance < 0.4 || some.length === 0) return upload(client, name, random);
  if (chance < 0.6) {
    const made = await call(client, "POST", "/api/v1/playlists", { name, trackIds: [...new Set(some)] });
    return { kind: "playlist", id: (made as { playlist: { id: string } }).playlist.id };
  }
  if (chance < 0.75) {
    const body = { fullName: name, email: `${name.replace(" ", ".")}@example.com` };
    return {
      kind: "composer",
      id: ((await call(client, "POST", "/api/v1/composers", body)) as { id: string }).id,
    };
  }
  if (chance < 0.9) {
    const made = await call(client, "POST", "/app/shares", { trackId: some[0] });
    const { id, url } = made as { id: string; url: string };
    return { kind: "share", id, page: new URL(url).pathname };
  }
  try {
    const made = await call(client, "POST", "/integration/api-keys", { name });
    const { id, key } = made as { id: string; key: string };
    return { kind: "key", id, secret: key };
  } catch (error) {
    // An account has a limited number of keys.
    if (!(error as Error).message.includes("key_limit_reached")) throw error;
    return makeItem(client, tracks, random);
  }
}

async function upload(client: Client, name: string, random: Random): Promise<Item> {
  const { bytes, sha256 } = makeSound(`${name}.wav`, random);
  const form = new FormData();
  form.append("files", new File([bytes], `${name}.wav`));
  const { uploaded } = (await call(client, "POST", "/api/v1/tracks/upload", form)) as {
    uploaded: { id: string }[];
  };
  return { kind: "track", id: uploaded[0]?.id ?? "", sha256 };
}

/** Returns what a server says of an item, without what an analysis or a request adds. @throws Error when it lacks it. */
export async function describeItem(client: Client, item: Item): Promise<string> {
  if (item.kind === "track") return describeTrack(client, item);
  if (item.kind === "playlist") {
    const playlist = await call(client, "GET", `/api/v1/playlists/single/${item.id}`);
    const { id, name, createdAt, tracks } = playlist as {
      id: string;
      name: string;
      createdAt: string;
      tracks: { id: string }[];
    };
    return JSON.stringify({ id, name, createdAt, tracks: tracks.map((track) => track.id) });
  }
  if (item.kind === "composer")
    return JSON.stringify(await call(client, "GET", `/api/v1/composers/single?id=${item.id}`));
  if (item.kind === "share") {
    const page = await fetch(`${client.address}${item.page}`, { method: "HEAD" });
    const share = JSON.stringify(await call(client, "GET", `/app/shares/${item.id}`));
    return `${page.status} ${share.replaceAll(client.address, "")}`;
  }
  await call({ ...client, key: item.secret }, "GET", "/api/v1/tracks/count");
  return `${item.id} opens`;
}

async function describeTrack(client: Client, { id, sha256 }: Item & { kind: "track" }): Promise<string> {
  const { versions } = (await call(client, "GET", `/api/v1/tracks/${id}/versions`)) as {
    versions: { id: string; name: string; size: number; createdAt: string; downloadUrl: string }[];
  };
  const lines = versions.map(async ({ id: version, name, size, createdAt, downloadUrl }) => {
    const { pathname, search } = new URL(downloadUrl);
    const file = await fetch(`${client.address}${pathname}${search}`);
    const found = new Bun.CryptoHasher("sha256").update(await file.bytes()).digest("hex");
    return `${version} ${name} ${size} ${createdAt} ${found === sha256 ? "whole" : `other bytes (${file.status})`}`;
  });
  return (await Promise.all(lines)).join("\n");
}

/** Returns the ids of everything that a server has. */
export async function listIds(client: Client): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const path of [
    "/api/v1/tracks",
    "/api/v1/playlists",
    "/api/v1/composers",
    "/app/shares",
    "/integration/api-keys/all",
  ])
    for (let cursor: string | null | undefined = ""; cursor !== null && cursor !== undefined; ) {
      const response = await send(client, "GET", cursor === "" ? path : `${path}?cursor=${cursor}`, {});
      const { data, paging } = JSON.parse(response.text) as {
        data: { id: string }[];
        paging?: { next_cursor: string | null };
      };
      for (const { id } of data) ids.add(id);
      cursor = paging?.next_cursor;
    }
  return ids;
}
