import { afterEach, describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { tracks } from "../../db/schema.ts";
import type { McpVariant } from "../../src/mcp/mount.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createToolApp, legacyRequest, modernRequest, type ToolApp } from "./support.ts";

type Status = "pending" | "processing" | "completed" | "failed";

let app: ToolApp;
let trackId: string;
/** Called in each pause; the requested pauses, in seconds. */
let onPause: (pause: number) => void | Promise<void> = () => undefined;
let pauses: number[] = [];
/** The signals that may end each pause. */
let signals: AbortSignal[] = [];

const mcp: McpVariant = {
  pause: async (ms, signal) => {
    pauses.push(ms / 1000);
    signals.push(signal);
    app.clock.advance(ms);
    if (!signal.aborted) await onPause(pauses.length);
  },
};

async function open(): Promise<void> {
  pauses = [];
  signals = [];
  onPause = () => undefined;
  app = await createToolApp({ mcp });
  trackId = addTrackRows(app.deps.db, app.accountId, { analysisStatus: "processing" }).id;
}
afterEach(() => app.close());

const setStatus = (analysisStatus: Status) =>
  app.deps.db.update(tracks).set({ analysisStatus }).where(eq(tracks.id, trackId)).run();
const paramsOf = (input: Json = {}, _meta: Json = {}) => ({
  name: "wait_for_auto_tag",
  arguments: { trackId, ...input },
  _meta,
});
const wait = async (input: Json = {}, request = legacyRequest): Promise<Json> =>
  jsonOf(await app.request("/mcp", request("tools/call", paramsOf(input), { "x-api-key": app.key })));
const payloadOf = ({ result }: Json): Json => JSON.parse(result.content[0].text);

describe("wait_for_auto_tag", () => {
  test.each(["completed", "failed"] as const)(
    "returns the suggested tags once the analysis is %s",
    async (status) => {
      await open();
      onPause = (pause) => void (pause === 2 && setStatus(status));

      const payload = payloadOf(await wait());

      expect(payload).toMatchObject({ ok: true, trackId, analysisStatus: status, suggestedTags: {} });
      expect(payload.timedOut).toBeUndefined();
      expect(pauses).toEqual([3, 3]);
    },
  );

  test("returns at once if the analysis has already ended", async () => {
    await open();
    setStatus("completed");

    expect(payloadOf(await wait())).toMatchObject({ ok: true, analysisStatus: "completed" });
    expect(pauses).toEqual([]);
  });

  test("says after the timeout that the analysis is still running, which is not an error", async () => {
    await open();

    const { result } = await wait({ timeoutSeconds: 5, pollIntervalSeconds: 2 });

    expect(result.isError).toBeUndefined();
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      ok: true,
      timedOut: true,
      analysisStatus: "processing",
    });
    expect(pauses).toEqual([2, 2, 1]);
  });

  test("waits 90 seconds by default, checking every 3", async () => {
    await open();

    await wait();

    expect(pauses).toEqual(Array(30).fill(3));
  });

  test("starts an analysis on request, and needs its scope only then", async () => {
    await open();
    setStatus("completed");
    onPause = () => void setStatus("completed");
    const reader = app.createKey(app.accountId, ["read:tracks"]);
    const as = async (key: string, trigger: boolean) =>
      jsonOf(
        await app.request("/mcp", legacyRequest("tools/call", paramsOf({ trigger }), { "x-api-key": key })),
      );

    const triggered = payloadOf(await as(app.key, true));
    const read = payloadOf(await as(reader, false));
    const refused = await as(reader, true);

    expect([triggered.analysisStatus, pauses]).toEqual(["completed", [3]]);
    expect(read.ok).toBe(true);
    expect(refused.result.content[0].text).toBe(
      "insufficient_scope: This needs update:tracks; the API key is missing a required scope for this action.",
    );
  });

  test("counts as one call in the usage records, however often it checks", async () => {
    await open();
    await wait({ timeoutSeconds: 30 });
    app.app.usage.flush();

    const { body } = await app.signedIn(app.token)("GET", "/integration/usage");

    expect(body.data.items.map(({ route }: Json) => route)).toEqual(["/tracks/suggested-tags"]);
  });

  test("ends when its key is revoked meanwhile", async () => {
    await open();
    onPause = async () => {
      await app.signedIn(app.token)("POST", `/integration/api-keys/${app.key.split(".")[0]}/revoke`);
    };

    const { result } = await wait();

    expect([result.isError, result.content[0].text]).toEqual([
      true,
      "invalid_key: This API key is not valid",
    ]);
    expect(pauses).toHaveLength(1);
  });
});

describe("progress", () => {
  const askFor = async (request: typeof legacyRequest, accept = "application/json, text/event-stream") => {
    const params = paramsOf({ timeoutSeconds: 6 }, { progressToken: "p1" });
    const response = await app.request(
      "/mcp",
      request("tools/call", params, { "x-api-key": app.key, accept }),
    );
    return { type: response.headers.get("content-type"), text: await response.text() };
  };
  const messagesIn = (text: string): Json[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));

  test.each([
    ["2025", legacyRequest],
    ["2026", modernRequest],
  ] as const)("goes to a client of %s that asked for it, before the answer", async (_, request) => {
    await open();

    const { type, text } = await askFor(request);
    const messages = messagesIn(text);

    expect(type).toStartWith("text/event-stream");
    expect(
      messages.map(
        ({ method, params }) => method && [method, params.progressToken, params.progress, params.total],
      ),
    ).toEqual([["notifications/progress", "p1", 0, 6], ["notifications/progress", "p1", 3, 6], undefined]);
    expect(messages[0]?.params.message).toContain("processing");
    expect(payloadOf(messages.at(-1))).toMatchObject({ ok: true, timedOut: true });
  });

  test("is not sent to a client that accepts only JSON, which gets its answer", async () => {
    await open();

    for (const request of [legacyRequest, modernRequest]) {
      const { type, text } = await askFor(request, "application/json");

      expect(type).toStartWith("application/json");
      expect(payloadOf(JSON.parse(text))).toMatchObject({ timedOut: true });
    }
  });
});

describe("a client that no longer waits", () => {
  /** Calls over a socket; `entered` resolves in the first pause, which lasts until `leave`. */
  const callAndPause = async (request: typeof legacyRequest) => {
    await open();
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    onPause = () => {
      entered.resolve();
      return left.promise;
    };
    const abort = new AbortController();
    const params = paramsOf({ timeoutSeconds: 300 }, { progressToken: "p1" });
    const answer = fetch(`${app.url}/mcp`, {
      ...request("tools/call", params, { "x-api-key": app.key }),
      signal: abort.signal,
    }).then((response) => response.text());
    await entered.promise;
    return { answer, abort, left };
  };

  test.each([
    ["2025", legacyRequest],
    ["2026", modernRequest],
  ] as const)("a client that closes the connection leaves no work behind (%s)", async (_, request) => {
    const { answer, abort, left } = await callAndPause(request);
    const noticed = new Promise<void>((resolve) =>
      signals.at(-1)?.addEventListener("abort", () => resolve()),
    );

    abort.abort();
    await answer.catch(() => undefined);
    await noticed;
    left.resolve();
    // Once the server has answered another request, the wait has had its turn.
    await fetch(`${app.url}/health`);

    expect(pauses).toHaveLength(1);
  });

  test("a client that cancels (2025) gets the current state, and the wait ends", async () => {
    const { answer, left } = await callAndPause(legacyRequest);
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const headers = { "content-type": "application/json", "x-api-key": app.key };

    const taken = await fetch(`${app.url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
    left.resolve();

    expect(taken.status).toBe(202);
    expect(await answer).toContain('\\"timedOut\\":true');
    expect(pauses).toHaveLength(1);
  });

  test("a client cannot end the wait of another key", async () => {
    const { answer, left } = await callAndPause(legacyRequest);
    const message = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const headers = { "content-type": "application/json", "x-api-key": app.createKey(app.accountId) };

    await fetch(`${app.url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
    onPause = () => void setStatus("completed");
    left.resolve();

    expect(await answer).toContain('\\"analysisStatus\\":\\"completed\\"');
    expect(pauses).toHaveLength(2);
  });
});
