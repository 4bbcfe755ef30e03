import { afterEach, describe, expect, test } from "bun:test";
import { readSettings } from "../../src/config.ts";
import type { Resolve } from "../../src/net/address.ts";
import { type PostOptions, postOnce } from "../../src/net/post.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../net/certificate.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

type Asked = { method: string; host: string; text: string; port: number };

/** Starts a receiver on this machine that records its requests. */
function serve(respond: () => Response, tls?: { cert: string; key: string }) {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    ...(tls && { tls }),
    async fetch(request, self) {
      const { method, headers } = request;
      const text = await request.text();
      asked.push({ method, host: headers.get("host") ?? "", text, port: self.requestIP(request)?.port ?? 0 });
      return respond();
    },
  });
  stops.push(() => server.stop(true));
  return { asked, port: server.port ?? 0 };
}

function post(
  url: string,
  options: Partial<PostOptions> & { allow?: string[]; names?: Record<string, string[]> } = {},
) {
  const { allow = [], names = {}, ...rest } = options;
  const resolve: Resolve = async (host) => {
    const addresses = names[host];
    if (addresses) return addresses;
    throw Object.assign(new Error("no such host"), { code: "ENOTFOUND" });
  };
  const defaults: PostOptions = {
    headers: { "content-type": "application/json" },
    body: "{}",
    timeoutMs: 5000,
    maxAnswerBytes: 8,
    signal: new AbortController().signal,
    resolve,
  };
  return postOnce({ settings: { ...readSettings({}), networkAllow: allow } }, url, { ...defaults, ...rest });
}

const textOf = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString();

describe("a request to a receiver", () => {
  test("is a POST to the checked address, under the requested name", async () => {
    const { asked, port } = serve(
      () => new Response("abcdefghijk", { status: 201, headers: { "retry-after": "5" } }),
    );

    const answer = await post(`http://studio.example:${port}/x`, {
      allow: ["studio.example"],
      names: { "studio.example": ["127.0.0.1"] },
      body: '{"a":1}',
    });

    expect({ ...answer, body: textOf(answer) }).toEqual({ status: 201, retryAfter: "5", body: "abcdefgh" });
    expect(asked).toMatchObject([{ method: "POST", host: `studio.example:${port}`, text: '{"a":1}' }]);
  });

  test("verifies the certificate for the name, even if a connection to that address is open", async () => {
    const { asked, port } = serve(() => new Response("ok"), { cert: CERTIFICATE, key: PRIVATE_KEY });
    const names = { "studio.example": ["127.0.0.1"], "other.example": ["127.0.0.1"] };
    const options = { names, allow: Object.keys(names), ca: CERTIFICATE };
    const first = await post(`https://studio.example:${port}/`, options);

    const other = post(`https://other.example:${port}/`, options);

    expect(textOf(first)).toBe("ok");
    await expect(other).rejects.toThrow("its certificate cannot be trusted");
    await expect(post(`https://studio.example:${port}/`, { ...options, ca: "" })).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  test("reuses a connection after its answer was read to the end", async () => {
    const { asked, port } = serve(() => new Response("ok"));

    for (let request = 0; request < 3; request++)
      await post(`http://127.0.0.1:${port}/`, { allow: ["127.0.0.1"] });

    expect(new Set(asked.map((one) => one.port)).size).toBe(1);
  });

  test("does not follow a redirect", async () => {
    const elsewhere = serve(() => new Response());
    const { port } = serve(() => Response.redirect(`http://127.0.0.1:${elsewhere.port}/`, 308));

    const answer = await post(`http://127.0.0.1:${port}/`, { allow: ["127.0.0.1"] });

    expect(answer.status).toBe(308);
    expect(elsewhere.asked).toEqual([]);
  });

  test.each([
    ["plain http", "http://studio.example/", "not https"],
    ["a private address", "https://192.168.0.4/", "not a public host"],
    ["a name with one private address", "https://studio.example/", "not a public host"],
    ["a user name", "https://me@studio.example/", "holds a user name"],
  ])("a request to %s is refused", async (_, url, why) => {
    const names = { "studio.example": ["93.184.216.34", "10.0.0.1"] };

    await expect(post(url, { names })).rejects.toThrow(`this address may not be reached: ${why}`);
  });

  test("a request to an unknown name is refused", async () => {
    await expect(post("https://nobody.example/")).rejects.toThrow("its host name cannot be found");
  });

  test("a request with a slow name lookup times out", async () => {
    const resolve = () => new Promise<string[]>(() => undefined);

    await expect(post("https://studio.example/", { resolve, timeoutMs: 20 })).rejects.toThrow(
      "no answer within 0.02 s",
    );
  });
});
