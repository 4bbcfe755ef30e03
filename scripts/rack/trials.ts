import { type Behind, METRICS_TOKEN } from "./server.ts";

const MEBIBYTE = 1024 ** 2;
const WAV_HEADER_BYTES = 44;
const TUS = { "tus-resumable": "1.0.0" };

/** What is tried through a proxy. Each returns what was seen, or throws. */
export type Trial = { name: string; run: (outside: string, behind: Behind) => Promise<string> };

/** Sends a request to the proxy, whose certificate nobody signed. */
const ask = (url: string, init: RequestInit = {}) =>
  fetch(url, { ...init, tls: { rejectUnauthorized: false } });

function expectThat(isSo: boolean, sentence: string): void {
  if (!isSo) throw new Error(sentence);
}

/** Returns a WAV of noise, which no proxy can compress. */
export function noise(bytes: number, seed: number): Uint8Array<ArrayBuffer> {
  const out = Buffer.alloc(bytes);
  for (let at = WAV_HEADER_BYTES; at < bytes; at += 65_536)
    crypto.getRandomValues(out.subarray(at, Math.min(bytes, at + 65_536)));
  out.write("RIFF", 0);
  out.writeUInt32LE(bytes - 8, 4);
  out.write("WAVEfmt ", 8);
  for (const [at, value] of [
    [16, 16],
    [24, 48_000],
    [28, 192_000],
    [40, bytes - WAV_HEADER_BYTES],
  ] as const)
    out.writeUInt32LE(value, at);
  for (const [at, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    out.writeUInt16LE(value, at);
  out.write("data", 36);
  out.writeUInt8(seed, WAV_HEADER_BYTES);
  return out;
}

/** Sends a form of several files as one stream, as a browser does: nobody holds it in memory as a whole. */
function formOf(file: Uint8Array<ArrayBuffer>, count: number) {
  const boundary = "rack-check";
  const part = (at: number) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="noise ${at}.wav"\r\n\r\n`;
  const end = `--${boundary}--\r\n`;
  async function* body() {
    for (let at = 0; at < count; at++) {
      yield Buffer.from(part(at));
      yield file.subarray(0, -1);
      yield Buffer.of(at); // no two are the same
      yield Buffer.from("\r\n");
    }
    yield Buffer.from(end);
  }
  return { type: `multipart/form-data; boundary=${boundary}`, body: body() };
}

/** The trials. One request uploads `files` files of `megabytes` each. */
export function trials({ files, megabytes }: { files: number; megabytes: number }): readonly Trial[] {
  return [
    { name: "request id", run: requestId },
    { name: "metrics are closed", run: metricsAreClosed },
    {
      name: "upload and ranges",
      run: (outside, behind) => upload(outside, behind, noise(megabytes * MEBIBYTE, 1), files),
    },
    { name: "resumable upload", run: resume },
    { name: "events", run: events },
    { name: "client address", run: clientAddress },
  ];
}

async function requestId(outside: string): Promise<string> {
  const { headers } = await ask(`${outside}/health`, { headers: { "x-request-id": "made-by-a-client" } });
  const id = headers.get("x-request-id") ?? "";
  expectThat(id !== "" && id !== "made-by-a-client", `The proxy passed on the id of the client: ${id}`);
  return id;
}

async function metricsAreClosed(outside: string, { address }: Behind): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const [through, direct] = [
    await ask(`${outside}/metrics`, { headers }),
    await fetch(`${address}/metrics`, { headers }),
  ];
  expectThat(
    through.status === 404 && direct.status === 200,
    `${through.status} outside, ${direct.status} inside`,
  );
  return "404 outside, 200 inside";
}

async function upload(
  outside: string,
  { key }: Behind,
  file: Uint8Array<ArrayBuffer>,
  count: number,
): Promise<string> {
  const from = performance.now();
  const { type, body } = formOf(file, count);
  const response = await ask(`${outside}/api/v1/tracks/upload`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": type },
    body: body as unknown as ReadableStream,
  });
  const { data } = (await response.json()) as { data?: { uploaded: { id: string }[] } };
  expectThat(response.status === 200 && data?.uploaded.length === count, `Upload: ${response.status}`);
  const seconds = (performance.now() - from) / 1000;
  const versions = await ask(`${outside}/api/v1/tracks/${data?.uploaded[0]?.id}/versions`, {
    headers: { "x-api-key": key },
  });
  const listed = (await versions.json()) as { data: { versions: { downloadUrl: string; size: number }[] } };
  const [version] = listed.data.versions;
  const part = await ask(version?.downloadUrl ?? "", { headers: { range: "bytes=1000-1999" } });
  const bytes = new Uint8Array(await part.arrayBuffer());
  expectThat(
    part.status === 206 && Buffer.from(file.subarray(1000, 2000)).equals(bytes),
    `Range: ${part.status}`,
  );
  const whole = await ask(version?.downloadUrl ?? "");
  let got = 0;
  for await (const chunk of whole.body ?? []) got += chunk.length;
  expectThat(got === file.length, `Download: ${got} bytes`);
  const sent = (file.length * count) / MEBIBYTE;
  return `${Math.round(sent)} MiB in one request, ${Math.round(sent / seconds)} MiB/s; 1000 bytes of a range; ${Math.round(got / MEBIBYTE)} MiB back`;
}

async function resume(outside: string, { token }: Behind): Promise<string> {
  const file = noise(3 * MEBIBYTE, 2);
  const headers = { ...TUS, authorization: `Bearer ${token}` };
  const metadata = `filename ${Buffer.from("resumed.wav").toString("base64")}`;
  const made = await ask(`${outside}/app/uploads`, {
    method: "POST",
    headers: { ...headers, "upload-length": String(file.length), "upload-metadata": metadata },
  });
  const location = new URL(made.headers.get("location") ?? "", outside).href;
  expectThat(made.status === 201 && location.startsWith(outside), `Creation: ${made.status} ${location}`);
  for (const [from, to] of [
    [0, MEBIBYTE],
    [MEBIBYTE, file.length],
  ] as const) {
    const patched = await ask(location, {
      method: "PATCH",
      headers: {
        ...headers,
        "upload-offset": String(from),
        "content-type": "application/offset+octet-stream",
      },
      body: file.subarray(from, to),
    });
    expectThat(patched.headers.get("upload-offset") === String(to), `Part: ${patched.status}`);
  }
  return "two parts";
}

/** A proxy that buffers would hold the first event back until its buffer is full. */
async function events(outside: string, { token }: Behind): Promise<string> {
  const abort = new AbortController();
  const from = performance.now();
  const response = await ask(`${outside}/app/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.any([abort.signal, AbortSignal.timeout(20_000)]),
  });
  const reader = response.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  const ms = Math.round(performance.now() - from);
  abort.abort();
  expectThat(first.includes("event: ready"), `The first event was: ${first}`);
  return `first event after ${ms} ms`;
}

/** The address that the server counts and shows is the proxy's word, whatever the client says. */
async function clientAddress(outside: string, { dubplate }: Behind): Promise<string> {
  const answer = await ask(`${outside}/auth/login`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": "203.0.113.7",
      "user-agent": "rack-check",
    },
    body: JSON.stringify({ email: "rack@example.com", password: "a long password" }),
  });
  expectThat(answer.status === 200, `Sign-in: ${answer.status}`);
  const sessions = await dubplate("session", "list", "--email", "rack@example.com");
  const seen = sessions.find(({ userAgent }) => userAgent === "rack-check")?.ip ?? "";
  expectThat(/^(127\.0\.0\.1|::1)$/.test(seen), `The server saw ${seen}`);
  return seen;
}
