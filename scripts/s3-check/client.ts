/** A file that a server acknowledged. */
export type Acknowledged = { trackId: string; sha256: string; sizeBytes: number };

/** The result of an upload: acknowledged, or the status of the refusal; 0 when no answer came. */
export type Sent = { file: Acknowledged } | { status: number; hasRetryAfter: boolean };

/** Talks to a server as a client with a key. */
export type Client = ReturnType<typeof createClient>;

const SAMPLE_RATE_HZ = 44_100;

/** Returns a WAV file of noise: no two are alike, and none compresses. */
export function noiseWav(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes);
  for (let at = 44; at < sizeBytes; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  const view = new DataView(bytes.buffer);
  const fields: [at: number, text: string][] = [
    [0, "RIFF"],
    [8, "WAVEfmt "],
    [36, "data"],
  ];
  for (const [at, text] of fields) new TextEncoder().encodeInto(text, bytes.subarray(at));
  view.setUint32(4, sizeBytes - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, SAMPLE_RATE_HZ, true);
  view.setUint32(28, SAMPLE_RATE_HZ * 4, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  view.setUint32(40, sizeBytes - 44, true);
  return bytes;
}

export const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

export function createClient(address: string, key: string) {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${address}/api/v1${path}`, { ...init, headers: { "x-api-key": key } });
  return {
    upload: async (bytes: Uint8Array<ArrayBuffer>, signal?: AbortSignal): Promise<Sent> => {
      const body = new FormData();
      body.append("files", new File([bytes], `${crypto.randomUUID()}.wav`));
      try {
        const response = await ask("/tracks/upload", { method: "POST", body, ...(signal && { signal }) });
        const answer = (await response.json()) as { data?: { uploaded: { id: string }[] } };
        const trackId = answer.data?.uploaded[0]?.id;
        if (response.status === 200 && trackId !== undefined)
          return { file: { trackId, sha256: sha256Of(bytes), sizeBytes: bytes.length } };
        return { status: response.status, hasRetryAfter: response.headers.has("retry-after") };
      } catch {
        return { status: 0, hasRetryAfter: false };
      }
    },
    /** Returns the address of a track's original on this server. */
    addressOf: async (trackId: string): Promise<string> => {
      const answer = (await (await ask(`/tracks/${trackId}/versions`)).json()) as {
        data: { versions: { downloadUrl: string }[] };
      };
      const url = new URL(answer.data.versions[0]?.downloadUrl ?? "");
      return address + url.pathname + url.search;
    },
  };
}
