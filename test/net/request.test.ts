import { afterEach, expect, test } from "bun:test";
import { readSettings } from "../../src/config.ts";
import { type RequestOptions, requestOnce } from "../../src/net/request.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function serve(handler: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: handler });
  stops.push(() => server.stop(true));
  return `127.0.0.1:${server.port}`;
}

const ask = (host: string, options: Partial<RequestOptions> = {}, allow = [host], scheme = "http") =>
  requestOnce({ settings: { ...readSettings({}), networkAllow: allow } }, `${scheme}://${host}/`, {
    headers: {},
    timeoutMs: 10_000,
    maxAnswerBytes: 2 ** 20,
    signal: new AbortController().signal,
    ...options,
  });

test("an answer comes whole, with its status and header", async () => {
  const host = serve(async (request) =>
    Response.json({ sent: await request.text(), method: request.method }, { status: 400 }),
  );

  const answer = await ask(host, { method: "POST", body: "a=b" });

  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    400,
    "application/json;charset=utf-8",
  ]);
  expect(await answer.json()).toEqual({ sent: "a=b", method: "POST" });
});

test("a redirect is returned, not followed, and an answer without a body is one", async () => {
  const moved = await ask(serve(() => Response.redirect("http://127.0.0.1:1/elsewhere", 302)));
  const empty = await ask(serve(() => new Response(null, { status: 204 })));

  expect([moved.status, empty.status]).toEqual([302, 204]);
});

test("plain http is refused unless the host is allowed, and a private host even with https", async () => {
  let asked = 0;
  const host = serve(() => Response.json({ asked: ++asked }));

  await expect(ask(host, {}, [])).rejects.toThrow("may not be reached: not https");
  await expect(ask(host, {}, [], "https")).rejects.toThrow("may not be reached: not a public host");
  await expect(asked).toBe(0);
});

test("an answer of more than was asked for is refused, however long it goes on", async () => {
  const chunk = new Uint8Array(65_536);
  const endless = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }));

  await expect(ask(serve(endless))).rejects.toThrow("gave an answer of more than 1 MB");
});

test("silence before and within an answer ends with the time", async () => {
  const silent = serve(() => new Promise<Response>(() => undefined));
  const stalled = serve(
    () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(9)) })),
  );

  for (const host of [silent, stalled])
    await expect(ask(host, { timeoutMs: 300 })).rejects.toThrow("gave no answer within 0.3 s");
});

test("a host where nothing listens is named as that", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const host = `127.0.0.1:${server.port}`;
  await server.stop(true);

  await expect(ask(host)).rejects.toThrow("gave no answer: nothing listens there (connection refused)");
});
