import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createLibrary, type Library } from "../contract/library.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { createToolApp, modernRequest, type ToolApp } from "./support.ts";

let app: ToolApp;
let library: Library;
let composerId: string;

beforeAll(async () => {
  app = await createToolApp();
  library = createLibrary(app, app);
});
afterAll(() => app.close());
beforeEach(async () => {
  composerId = (await library.composer()).id;
});

const FORMS = { elicitation: { form: {} } };

async function send(params: Json, capabilities: Json = FORMS, key = app.key): Promise<Json> {
  const _meta = { "io.modelcontextprotocol/clientCapabilities": capabilities };
  const request = modernRequest("tools/call", { ...params, _meta }, { "x-api-key": key });
  return (await jsonOf(await app.request("/mcp", request))).result;
}
const deletion = (more: Json = {}) => ({
  name: "delete_composer",
  arguments: { composerId, ...more.arguments },
  ...(more.inputResponses && { inputResponses: more.inputResponses }),
  ...(more.requestState && { requestState: more.requestState }),
});
const answered = (confirm: unknown, action = "accept") => ({
  inputResponses: { confirm: { action, ...(action === "accept" && { content: { confirm } }) } },
});
const isThere = async () => {
  const { body } = await app.as(app.key)("GET", "/composers");
  return body.data.some(({ id }: Json) => id === composerId);
};
const settings = (assistantConfirm: string, token = app.token) =>
  app.signedIn(token)("PATCH", "/app/account", { assistantConfirm });

describe("before an assistant deletes something", () => {
  test("a client that can show forms asks its user what would go, and nothing is deleted until the answer is yes", async () => {
    const asked = await send(deletion());

    expect(asked.resultType).toBe("input_required");
    const { method, params } = asked.inputRequests.confirm;
    expect(method).toBe("elicitation/create");
    expect(params.message).toMatch(/^Delete a composer\? composer: \S/);
    expect(params.requestedSchema).toMatchObject({
      properties: { confirm: { type: "boolean" } },
      required: ["confirm"],
    });
    expect(await isThere()).toBe(true);

    const { requestState } = asked;
    const done = await send(deletion({ requestState, ...answered(true) }));

    expect(done.structuredContent).toMatchObject({ ok: true, composerId, dryRun: false });
    expect(await isThere()).toBe(false);
  });

  test.each<[string, Json]>([
    ["says no in the form", answered(false)],
    ["declines", answered(undefined, "decline")],
    ["closes the form", answered(undefined, "cancel")],
    ["answers something else than yes", answered("true")],
  ])("who %s keeps everything, and the call is listed as declined", async (_, answer) => {
    const { requestState } = await send(deletion());

    const refused = await send(deletion({ requestState, ...answer }));

    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toStartWith("declined_by_user: ");
    expect(await isThere()).toBe(true);
    const calls = (await app.signedIn(app.token)("GET", "/app/assistant/calls")).body.data;
    expect(calls[0]).toMatchObject({ tool: "delete_composer", outcome: "declined_by_user" });
  });

  test("a yes without a question, to a question about something else, or of another key asks again", async () => {
    const { requestState } = await send(deletion());
    const another = (await library.composer()).id;
    const otherKey = app.createKey(app.accountId);

    const results = [
      await send(deletion(answered(true))),
      await send(deletion({ requestState: `${requestState}x`, ...answered(true) })),
      await send({
        ...deletion({ requestState, ...answered(true) }),
        arguments: { composerId: another },
      }),
      await send(deletion({ requestState, ...answered(true) }), FORMS, otherKey),
    ];

    expect(results.map(({ resultType }) => resultType)).toEqual(Array(4).fill("input_required"));
    expect(await isThere()).toBe(true);
  });

  test("what has changed since the question is asked about again", async () => {
    const { requestState } = await send(deletion());
    const { status } = await app.as(app.key)("PATCH", "/composers", {
      id: composerId,
      fullName: "Renamed",
    });
    expect(status).toBe(200);

    const again = await send(deletion({ requestState, ...answered(true) }));

    expect(again.resultType).toBe("input_required");
    expect(again.inputRequests.confirm.params.message).toContain("Renamed");
    expect(await isThere()).toBe(true);
  });

  test("nobody is asked by a preview, by a client that cannot ask, or where the owner does not want it", async () => {
    expect((await send(deletion({ arguments: { dryRun: true } }))).structuredContent.dryRun).toBe(true);

    expect((await send(deletion(), { elicitation: { url: {} } })).structuredContent.ok).toBe(true);
    composerId = (await library.composer()).id;
    expect((await send(deletion(), {})).structuredContent.ok).toBe(true);
    composerId = (await library.composer()).id;
    expect((await settings("never")).body.data.assistantConfirm).toBe("never");
    expect((await send(deletion())).structuredContent.ok).toBe(true);
    expect((await settings("deletes")).body.data.assistantConfirm).toBe("deletes");
  });

  test("the client of the protocol's authors asks its user, and deletes after the yes", async () => {
    const client = new Client(
      { name: "assistant", version: "1" },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
    );
    const questions: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      questions.push(params.message);
      return { action: "accept", content: { confirm: true } };
    });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), {
        requestInit: { headers: { "x-api-key": app.key } },
      }),
    );

    const result = await client.callTool({ name: "delete_composer", arguments: { composerId } });

    expect(questions).toHaveLength(1);
    expect(result.structuredContent).toMatchObject({ ok: true, composerId });
    expect(await isThere()).toBe(false);
    await client.close();
  });

  test("what cannot be deleted is refused at once", async () => {
    composerId = "cmp_unknown";
    const refused = await send(deletion());
    expect(refused.isError).toBe(true);
    expect(refused.content[0].text).toStartWith("composer_not_found");

    composerId = (await library.composer()).id;
    const reader = app.createKey(app.accountId, ["read:composers"]);
    const forbidden = await send(deletion(), FORMS, reader);
    expect(forbidden.isError).toBe(true);
    expect(forbidden.content[0].text).toStartWith("insufficient_scope");
    expect(await isThere()).toBe(true);
  });
});
