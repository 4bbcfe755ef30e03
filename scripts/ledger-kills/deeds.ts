/** Something that was acknowledged, as its record is to say it. */
export type Deed = {
  type: "track.created" | "version.added" | "share.created" | "share.revoked";
  subject: string;
};

type Doing = { address: string; key: string; token: string; deeds: Deed[]; signal: AbortSignal };

const WRITERS = 6;

/** Lets writers work on a library until its server is gone, and notes what was acknowledged. */
export async function doDeeds(doing: Doing): Promise<void> {
  const write = async () => {
    while (!doing.signal.aborted)
      await someDeeds(doing).catch((error: unknown) => {
        if (error instanceof RefusedError) throw error;
        return Bun.sleep(5); // the server is killed
      });
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
}

async function someDeeds(doing: Doing): Promise<void> {
  const { deeds } = doing;
  const trackId = await upload(doing);
  deeds.push({ type: "track.created", subject: trackId });
  const { activeVersionId } = await call(doing, "GET", `/tracks/single?id=${trackId}`);
  deeds.push({ type: "version.added", subject: activeVersionId });
  const form = new FormData();
  form.append("file", someFile());
  const version = await call(doing, "POST", `/tracks/${trackId}/versions`, form);
  deeds.push({ type: "version.added", subject: version.id });
  const share = await call(doing, "POST", "/shares", { trackId });
  deeds.push({ type: "share.created", subject: share.id });
  await call(doing, "GET", `/tracks/${trackId}/proof`);
  if (Math.random() < 0.5) {
    await call(doing, "DELETE", `/shares/${share.id}`);
    deeds.push({ type: "share.revoked", subject: share.id });
  }
  if (Math.random() < 0.3) await call(doing, "DELETE", `/app/tracks/${trackId}`);
}

async function upload(doing: Doing): Promise<string> {
  const form = new FormData();
  form.append("files", someFile());
  const { uploaded } = await call(doing, "POST", "/tracks/upload", form);
  return uploaded[0].id;
}

/** A WAV file with an unknown codec, so that no analysis takes the time of the machine. */
function someFile(): File {
  const bytes = Buffer.alloc(4096);
  crypto.getRandomValues(bytes.subarray(44));
  bytes.write("RIFF");
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(0x7777, 20);
  bytes.writeUInt32LE(48_000, 24);
  bytes.write("data", 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return new File([bytes], `song ${Math.floor(1e9 * Math.random())}.wav`);
}

/** The contract's answers, as far as they are read here. */
// biome-ignore lint/suspicious/noExplicitAny: each caller knows its answer
type Answered = any;

async function call(
  { address, key, token }: Doing,
  method: string,
  path: string,
  body?: object,
): Promise<Answered> {
  const isForm = body instanceof FormData;
  const isOfConsole = path.startsWith("/app/");
  const response = await fetch(isOfConsole ? `${address}${path}` : `${address}/api/v1${path}`, {
    method,
    headers: {
      ...(isOfConsole ? { authorization: `Bearer ${token}` } : { "x-api-key": key }),
      ...(body && !isForm && { "content-type": "application/json" }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: Answered };
  if (!response.ok) throw new RefusedError(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}

/** The server answered, and did not do it. */
class RefusedError extends Error {}
