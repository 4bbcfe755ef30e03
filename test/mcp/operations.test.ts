import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TObject, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { DocumentedRoute } from "../../src/http/openapi.ts";
import { unknownNames } from "../../src/http/unknown.ts";
import type { OperationCall } from "../../src/mcp/calls/dispatch.ts";
import type { Tool } from "../../src/mcp/tools/tool.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { createToolApp, legacyRequest, type ToolApp } from "./support.ts";

let app: ToolApp;
let operations: Map<unknown, DocumentedRoute>;
beforeAll(async () => {
  app = await createToolApp();
  operations = new Map(app.app.routes.map((route) => [route.detail?.operationId, route]));
});
afterAll(() => app.close());

const PARTS = ["params", "query", "body"] as const;
/** Texts that fit the patterns of fields: any text, an address of the web, an e-mail address. */
const TEXTS = ["x", "https://example.com/x", "someone@example.com"];
/** Longer than any field may be that the tools do not limit. */
const ENDLESS = 12_000;

/** Sent as one text, whose length the operation checks. */
const JOINED: ReadonlySet<unknown> = new Set(["listTracks: query /tags"]);

/** What a call may answer with, for tools that go on from there. */
const PAYLOAD = { playlist: { id: "pl_1" }, track: { id: "trk_1" } };

/** Returns the least or the most that a schema allows. */
function boundary(schema: TSchema, most: boolean): unknown {
  if (schema.anyOf) return schema.anyOf.at(most ? -1 : 0).const;
  return OF_KIND[schema.type]?.(schema, most);
}

const OF_KIND: Record<string, (schema: TSchema, most: boolean) => unknown> = {
  boolean: (_, most) => most,
  object: ({ properties }, most) => mapped(properties, (property: TSchema) => boundary(property, most)),
  array({ items, minItems = 0, maxItems = ENDLESS }, most) {
    if (!most) return Array(minItems).fill(boundary(items, false));
    return [boundary(items, true), ...Array(maxItems - 1).fill(boundary(items, false))];
  },
  string({ pattern, minLength = 0, maxLength = ENDLESS }, most) {
    if (pattern === undefined) return "x".repeat(most ? maxLength : minLength);
    const text = TEXTS.find((each) => new RegExp(pattern).test(each)) ?? "";
    return most ? text.padEnd(maxLength, "x") : text;
  },
  integer: (schema, most) => numberOf(schema, most),
  number: (schema, most) => numberOf(schema, most),
};

function numberOf({ minimum, exclusiveMinimum, maximum = 1e9 }: TSchema, most: boolean): number {
  if (most) return maximum;
  return minimum ?? (exclusiveMinimum === undefined ? -1e9 : exclusiveMinimum + 0.001);
}

const mapped = <In, Out>(object: Record<string, In>, change: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Returns the calls of a tool with what it requires, and with each of its other arguments beside that. */
function callsOf(tool: Tool, most: boolean): OperationCall[] {
  const { properties, required = [] } = tool.input;
  const needed = Type.Pick(tool.input, required) as TObject;
  const inputs = Object.keys(properties)
    .filter((name) => !required.includes(name) && name !== "detail" && name !== "dryRun")
    .map((name) => Type.Pick(tool.input, [...required, name]) as TObject);
  return [needed, ...inputs].flatMap((schema) => {
    const input = boundary(schema, most) as Record<string, unknown>;
    const call = { operation: tool.operation, ...tool.request?.(input, false) };
    return [call, ...(tool.after?.requests(input, PAYLOAD as never) ?? [])];
  });
}

/** Returns what the operation of a call would not take. */
function refusedOf({ operation, ...sent }: OperationCall): unknown[] {
  const route = operations.get(operation);
  if (!route) return [`no operation ${operation}`];
  return PARTS.flatMap((name) => {
    const schema = route[name] ?? Type.Object({});
    // What is undefined is not sent.
    const part = JSON.parse(JSON.stringify(sent[name] ?? {}));
    const unknown = unknownNames(schema, part, { code: "unknown_field", none: "it takes none" });
    const wrong = [...Value.Errors(schema, Value.Default(schema, part))];
    return [...unknown, ...wrong].map(({ path }) => `${operation}: ${name} ${path}`);
  });
}

describe("the operations of the tools", () => {
  test.each(TOOLS.map((tool) => [tool.name, tool] as const))(
    "%s sends only fields that its operations have, within their limits",
    (name, tool) => {
      const refused = [...callsOf(tool, false), ...callsOf(tool, true)].flatMap(refusedOf);

      expect([name, refused.filter((each) => !JOINED.has(each))]).toEqual([name, []]);
    },
  );

  test("a tool that named no operation, or a field that its operation lacks, would be noticed", () => {
    expect(refusedOf({ operation: "listSongs" })).toEqual(["no operation listSongs"]);
    expect(refusedOf({ operation: "listPlaylists", query: { colour: "red", limit: 1 } })).toEqual([
      "listPlaylists: query colour",
    ]);
    expect(refusedOf({ operation: "listPlaylists", query: { limit: 201 } })).toEqual([
      "listPlaylists: query /limit",
    ]);
  });
});

test("a change whose link could not be made is refused whole", async () => {
  const { id } = addTrackRows(app.deps.db, app.accountId, { name: "a.wav", measured: {} });
  const call = async (name: string, input: object): Promise<Json> => {
    const request = legacyRequest("tools/call", { name, arguments: input }, { "x-api-key": app.key });
    return (await jsonOf(await app.request("/mcp", request))).result;
  };
  const made = await call("create_playlist", { name: "Before", trackIds: [id] });
  const { playlist } = made.structuredContent;

  const refusal = await call("update_playlist", { playlistId: playlist.id, name: "After", recipient: "" });
  const { structuredContent } = await call("get_playlist", { playlistId: playlist.id });

  expect(refusal.content[0].text).toContain("recipient: must be a string, from 1 to 320 characters");
  expect(structuredContent.name).toBe("Before");
});
