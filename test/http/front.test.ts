import { describe, expect, test } from "bun:test";
import { readSettings } from "../../src/config.ts";
import { createFront, type FrontOptions } from "../../src/http/front/front.ts";
import { signalOf, stateOf } from "../../src/http/request-state.ts";
import { jsonOf } from "../support/app.ts";

const TIMEOUT_MS = 30;

/** Makes a front door before the test's routes. */
function frontOf(handle: FrontOptions["handle"]) {
  const logged: string[] = [];
  const front = createFront(
    { now: Date.now, log: (_, message) => void logged.push(message), settings: readSettings({}) },
    {
      handle,
      methodsOf: () => ["GET"],
      allowedOrigins: new Set(),
      onAnswer: () => undefined,
      timeoutMs: TIMEOUT_MS,
    },
  );
  return { logged, get: async () => front(new Request("http://127.0.0.1:4747/slow"), "127.0.0.1") };
}

describe("a request that takes too long", () => {
  test("is answered 503 with a time to retry, and its work is told to stop", async () => {
    let aborted: AbortSignal | undefined;
    const { get } = frontOf((request) => {
      aborted = signalOf(request);
      return new Promise(() => undefined);
    });

    const response = await get();

    expect(await jsonOf(response)).toMatchObject({ statusCode: 503, messageCode: "request_timeout" });
    expect(response.headers.get("retry-after")).toBe("10");
    expect(response.headers.get("x-service-api-version")).toBe("1");
    expect(aborted?.aborted).toBe(true);
  });

  test("may continue if it is an upload", async () => {
    const { get } = frontOf(async (request) => {
      stateOf(request).hasNoTimeout = true;
      await Bun.sleep(TIMEOUT_MS * 3);
      return new Response("done");
    });

    expect(await (await get()).text()).toBe("done");
  });
});

test("a bug in a route is logged and answered without details", async () => {
  const { get, logged } = frontOf(async () => {
    throw new Error("secret detail");
  });

  const text = await (await get()).text();

  expect(JSON.parse(text)).toMatchObject({
    statusCode: 500,
    messageCode: "internal_error",
    message: "Internal error",
  });
  expect(text).not.toContain("secret");
  expect(logged).toEqual(["A request failed"]);
});
