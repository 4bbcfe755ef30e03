import { SECOND_MS } from "../kernel/time.ts";
import type { Covered } from "../modules/library/albums/shapes.ts";
import type { RememberedFile, TakenFile } from "../modules/library/intake/shapes.ts";
import { type Door, type Origin, UnreachableError, type Wish } from "./door.ts";
import { failed } from "./local-door.ts";
import { type Entry, isSame } from "./scan.ts";

/** A server and a key for it. `isPatient`: waits while the server asks to, or cannot be reached for a moment. */
export type Remote = { url: string; key: string; tries: number };

const PIECE_BYTES = 16 * 1024 * 1024;
const TUS = { "tus-resumable": "1.0.0" };
const OCTETS = "application/offset+octet-stream";
const MAX_WAIT_MS = 30 * SECOND_MS;
/** A sender that is asked for bytes that it has sent starts from the beginning. */
const MAX_UPLOADS = 3;

/** A library on a server, reached with a key that may read, create and update tracks. */
export function remoteDoor(remote: Remote): Door {
  return {
    remembered: async (source) => {
      const found: RememberedFile[] = [];
      let cursor = "";
      do {
        const query = new URLSearchParams({ source, limit: "200", ...(cursor && { cursor }) });
        const { data, paging } = await json(remote, "GET", `/uploads/remembered?${query}`);
        found.push(...(data as RememberedFile[]));
        cursor = (paging as { next_cursor: string | null }).next_cursor ?? "";
      } while (cursor !== "");
      return found;
    },
    take: (entry, origin, wish) => take(remote, entry, origin, wish),
    cover: async ({ path, file }, { source }) => {
      const image = Buffer.from(await Bun.file(file).bytes()).toString("base64");
      const { data } = await json(remote, "POST", "/uploads/cover", { source, path, image });
      return data as Covered;
    },
  };
}

async function take(
  remote: Remote,
  entry: Entry,
  { kind, source }: Origin,
  wish: Wish | undefined,
): Promise<TakenFile | undefined> {
  const { path, sizeBytes, modifiedAt, inode } = entry;
  const sha256 = await hashOf(entry.file);
  if (!(await isSame(entry))) return undefined;
  const ask = async (uploadId?: string) => {
    const file = { path, sizeBytes, modifiedAt, inode, sha256, ...wish, ...(uploadId && { uploadId }) };
    const { data } = await json(remote, "POST", "/uploads/take", { kind, source, files: [file] });
    return (data as { files: [TakenFile] }).files[0];
  };
  let taken = await ask();
  for (let count = 0; taken.outcome === "needed" && count < MAX_UPLOADS; count++) {
    const key = `${sha256} ${path}${count === 0 ? "" : ` ${count}`}`;
    const uploadId = await upload(remote, entry, new Bun.CryptoHasher("sha256").update(key).digest("hex"));
    if (!(await isSame(entry))) return undefined;
    taken = await ask(uploadId);
  }
  return taken.outcome === "needed" ? failed(path, "The server asked for the bytes again and again") : taken;
}

async function hashOf(file: string): Promise<string> {
  const hash = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(file).stream()) hash.update(chunk);
  return hash.digest("hex");
}

/** Sends a file's bytes. What another process sent before with the same key is not sent again. Returns the upload's id. */
async function upload(remote: Remote, { file, path, sizeBytes }: Entry, key: string): Promise<string> {
  const texts = Object.entries({ filename: path, key });
  const metadata = texts.map(([name, text]) => `${name} ${Buffer.from(text).toString("base64")}`).join(",");
  const begun = await send(remote, "POST", "/uploads", {
    headers: { ...TUS, "upload-length": String(sizeBytes), "upload-metadata": metadata },
  });
  const id = begun.headers.get("location")?.split("/").at(-1) ?? "";
  let offset = offsetIn(begun);
  while (offset < sizeBytes) {
    const piece = Bun.file(file).slice(offset, Math.min(sizeBytes, offset + PIECE_BYTES));
    const headers = { ...TUS, "content-type": OCTETS, "upload-offset": String(offset) };
    const sent = await send(remote, "PATCH", `/uploads/${id}`, { headers, body: piece }).catch(
      async (error: unknown) => {
        // The connection broke, or the server was started again: it says how far it got.
        if (!(error instanceof UnreachableError)) throw error;
        return send(remote, "HEAD", `/uploads/${id}`, { headers: TUS });
      },
    );
    offset = offsetIn(sent);
  }
  return id;
}

const offsetIn = ({ headers }: Response) => Number(headers.get("upload-offset") ?? 0);

async function json(
  remote: Remote,
  method: string,
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const headers = { "content-type": "application/json" };
  const sent = await send(remote, method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
  return (await sent.json()) as Record<string, unknown>;
}

type Sent = { headers: Record<string, string>; body?: string | Blob };

/**
 * Makes a request; waits and tries again where that may help. An upload that is at another offset answers as usual.
 *
 * @throws UnreachableError; Error with the server's sentence for a refusal.
 */
async function send(
  { url, key, tries }: Remote,
  method: string,
  path: string,
  sent: Sent,
): Promise<Response> {
  const headers = { ...sent.headers, "x-api-key": key };
  for (let count = 1; ; count++) {
    const response = await fetch(`${url}/api/v1${path}`, {
      ...sent,
      method,
      headers,
      redirect: "error",
    }).catch((error: Error) => error);
    const isAway = response instanceof Error || response.status === 429 || response.status >= 500;
    if (!isAway) return checked(response);
    if (count >= tries) {
      const why = response instanceof Error ? response.message : `it answered ${response.status}`;
      throw new UnreachableError(`${url} cannot be reached: ${why}`);
    }
    const asked =
      response instanceof Error ? 0 : Number(response.headers.get("retry-after") ?? 0) * SECOND_MS;
    await Bun.sleep(Math.min(MAX_WAIT_MS, Math.max(asked, 250 * 2 ** count)));
  }
}

async function checked(response: Response): Promise<Response> {
  if (response.ok || response.status === 409) return response;
  const answer = await response.json().catch(() => ({}));
  const { message } = answer as { message?: string };
  throw new RefusedByServer(message ?? `The server answered ${response.status}`);
}

/** The server refused a request for good, such as one with a wrong key. */
export class RefusedByServer extends Error {
  override readonly name = "RefusedByServer";
}
