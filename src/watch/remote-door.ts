import { textOfBytes } from "../media/lyrics/text.ts";
import type { Covered } from "../modules/library/albums/shapes.ts";
import type { RememberedFile, TakenFile } from "../modules/library/intake/shapes.ts";
import { type Door, type Origin, UnreachableError, type Wish } from "./door.ts";
import { failed } from "./local-door.ts";
import { json, type Remote, send } from "./remote.ts";
import { type Entry, isSame } from "./scan.ts";

const PIECE_BYTES = 16 * 1024 * 1024;
const TUS = { "tus-resumable": "1.0.0" };
const OCTETS = "application/offset+octet-stream";
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
    words: async ({ file }, { trackId, versionId }) => {
      const lrc = textOfBytes(await Bun.file(file).bytes());
      const body = { lrc, unlessWritten: true, ...(versionId !== undefined && { versionId }) };
      await json(remote, "PUT", `/tracks/${trackId}/lyrics`, body);
    },
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
