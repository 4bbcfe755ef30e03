/** An answer as text, with its status. */
export type TextAnswer = { status: number; text: string };

/**
 * Posts JSON to an address that the operator set, and reads the whole answer. The address is trusted, so it is not
 * checked. Redirects are returned like any other answer, never followed.
 *
 * @throws The platform's error when there is no answer; the signal's reason when the signal aborts; Error when the
 *   answer is longer than `maxBytes`.
 */
export async function postJson(
  url: string,
  body: unknown,
  options: { headers: Readonly<Record<string, string>>; maxBytes: number; signal: AbortSignal },
): Promise<TextAnswer> {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", accept: "application/json", ...options.headers },
    body: JSON.stringify(body),
    signal: options.signal,
  });
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  for await (const chunk of response.body ?? []) {
    receivedBytes += chunk.length;
    if (receivedBytes > options.maxBytes)
      throw new Error(`The answer is longer than ${options.maxBytes} bytes`);
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString("utf8") };
}
