/** A file to read over HTTP. */
export type ReceiveOptions = { url: string; headers?: Record<string, string> };
export type ReceiveResult = { elapsedMs: number; bytes: number };

/** Reads an answer to its end and drops its bytes. @throws Error for a refusal. */
export async function receive({ url, headers = {} }: ReceiveOptions): Promise<ReceiveResult> {
  const startedAt = performance.now();
  const response = await fetch(url, { headers, redirect: "error" });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return { elapsedMs: performance.now() - startedAt, bytes };
}
