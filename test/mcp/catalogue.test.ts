import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020.js";
import { version as packageVersion } from "../../package.json" with { type: "json" };
import type { DocumentedRoute } from "../../src/http/openapi.ts";
import { type Json, jsonOf } from "../support/app.ts";
import { BOUNDS, TABLE } from "./specification.ts";
import { createToolApp, legacyRequest, modernRequest, type ToolApp } from "./support.ts";

const MAX_LIST_BYTES = 30_000;
const string = { type: "string" };

let app: ToolApp;
let tools: Json[];
beforeAll(async () => {
  app = await createToolApp();
  tools = (await list(legacyRequest)).result.tools;
});
afterAll(() => app.close());

const textOf = async (request: typeof legacyRequest): Promise<string> =>
  (await app.request("/mcp", request("tools/list", {}, { "x-api-key": app.key }))).text();
const list = async (request: typeof legacyRequest): Promise<Json> => JSON.parse(await textOf(request));

/** Returns every schema that describes a value of a call, with its path. */
function propertiesIn(schema: Json, path = ""): [path: string, schema: Json][] {
  const own = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, property]) => [
    [`${path}${name}`, property] as [string, Json],
    ...propertiesIn(property, `${path}${name}.`),
  ]);
  return schema.items ? [...own, ...propertiesIn(schema.items, `${path}[].`)] : own;
}

describe("tools/list", () => {
  test("has the 39 tools of the specification in its order, with their parameters", () => {
    const listed = tools.map(({ name, inputSchema: { properties, required = [] } }) => {
      const optional = Object.keys(properties).filter((each) => !required.includes(each));
      return { name, required: new Set(required), optional: new Set(optional) };
    });

    const wanted = TABLE.map(({ name, parameters }) => {
      const [required = "", optional = ""] = parameters.split("?");
      return { name, required: wordsOf(required), optional: wordsOf(optional) };
    });
    expect(wanted).toHaveLength(39);
    expect(listed).toEqual(wanted);
  });

  test.each(BOUNDS)("states for %s the bounds of %s", (name, parameter, schema) => {
    const tool = tools.find((each) => each.name === name);

    expect(tool.inputSchema.properties[parameter]).toMatchObject(schema);
  });

  test("names every field of the details and the tags that an upload may carry", () => {
    const { properties } = tools.find(({ name }) => name === "upload_track_by_url").inputSchema.properties
      .items.items;
    const fieldsOf = (name: string) =>
      Object.keys(tools.find((each) => each.name === name).inputSchema.properties).filter(
        (each) => !["trackId", "cover", "dryRun", "mode", "undo", "composers"].includes(each),
      );

    for (const field of fieldsOf("update_track_details"))
      expect(properties.details.description).toContain(field);
    for (const field of fieldsOf("update_track_tags"))
      expect(properties.audioProfile.description).toContain(field);
  });

  test("is the same list, in at most 30,000 bytes, in both protocol eras and for every key", async () => {
    const [legacy, modern] = [await textOf(legacyRequest), await textOf(modernRequest)];
    const narrow = app.createKey(app.accountId, ["read:briefs"]);
    const response = await app.request("/mcp", legacyRequest("tools/list", {}, { "x-api-key": narrow }));

    expect(Buffer.byteLength(legacy)).toBeLessThanOrEqual(MAX_LIST_BYTES);
    expect(Buffer.byteLength(modern)).toBeLessThanOrEqual(MAX_LIST_BYTES);
    expect(JSON.parse(modern).result.tools).toEqual(tools);
    expect(await response.text()).toBe(legacy);
  });

  test("sets every hint that says something, and distinguishes reading from changing", () => {
    for (const { name, annotations } of tools) {
      const { idempotentHint, ...always } = annotations;
      expect([name, Object.keys(always)]).toEqual([
        name,
        ["readOnlyHint", "destructiveHint", "openWorldHint"],
      ]);
      expect(Object.values(always).every((hint) => typeof hint === "boolean")).toBe(true);
      // Its default is false, and of a tool that only reads it says nothing.
      expect([name, idempotentHint]).toEqual([
        name,
        annotations.readOnlyHint ? undefined : idempotentHint && true,
      ]);
      expect([name, annotations.readOnlyHint]).toEqual([
        name,
        TABLE.find((row) => row.name === name)?.reads ?? false,
      ]);
    }
  });

  test("has open output schemas on every tool, with the fields of items and their kinds", () => {
    const ajv = new Ajv2020({ strict: false });

    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema.type]).toEqual([name, "object"]);
      for (const [path, { type, items }] of propertiesIn(outputSchema)) {
        if (type !== "array" || items.type === "string") continue;
        const kinds = Object.values<Json>(items.properties).filter((field) => "type" in field);
        expect([name, path, kinds.length]).not.toEqual([name, path, 0]);
        expect([name, path, items.properties.id ?? string]).toEqual([name, path, string]);
      }
      expect(JSON.stringify(outputSchema)).not.toContain("additionalProperties");
      expect(() => ajv.compile(outputSchema)).not.toThrow();
    }
  });

  test("describes every tool and every parameter, without a union at the top level", () => {
    const ajv = new Ajv2020({ strict: false });

    for (const { name, title, description, inputSchema } of tools) {
      expect([name, description.length > 40, title.length > 5]).toEqual([name, true, true]);
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      expect(Object.keys(inputSchema).toSorted()).toEqual(
        expect.not.arrayContaining(["anyOf", "oneOf", "allOf"]),
      );
      for (const [path, property] of propertiesIn(inputSchema))
        expect([name, path, typeof property.description]).toEqual([name, path, "string"]);
    }
  });

  test("offers detail where the specification marks a tool (compact), and nowhere else", () => {
    const withDetail = tools
      .filter(({ inputSchema }) => inputSchema.properties.detail)
      .map(({ name }) => name);

    expect(withDetail).toEqual(TABLE.filter((row) => row.compact).map(({ name }) => name));
  });
});

describe("GET /tools", () => {
  test("is public for every origin, and shows the content of tools/list with scopes and routes", async () => {
    const response = await app.request("/tools", { headers: { origin: "https://elsewhere.example" } });
    const body = await jsonOf(response);

    expect(response.status).toBe(200);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toMatchObject({ name: "dubplate", version: "1.6.0", apiVersion: "1", count: 39 });
    expect(body.tools.map(({ scopes: _, endpoint: __, ...tool }: Json) => tool)).toEqual(tools);
    expect(body.tools.map(({ name, scopes, endpoint }: Json) => [name, scopes.join(" "), endpoint])).toEqual(
      TABLE.map(({ name, scopes, calls }) => [name, scopes, calls]),
    );
  });

  test("names existing routes, with the scope that they need", async () => {
    const { tools: listed } = await jsonOf(await app.request("/tools"));
    const routes = new Map(app.app.routes.map((route) => [keyOf(route), scopeOf(route)]));

    for (const { name, endpoint, scopes } of listed)
      expect([name, scopes]).toEqual([name, expect.arrayContaining([routes.get(endpoint)])]);
  });

  test("names the same version as /health and initialize", async () => {
    const health = await jsonOf(await app.request("/health"));
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "x", version: "1" },
    };
    const answer = await jsonOf(
      await app.request("/mcp", legacyRequest("initialize", params, { "x-api-key": app.key })),
    );
    const discovered = await jsonOf(
      await app.request("/mcp", modernRequest("server/discover", {}, { "x-api-key": app.key })),
    );

    const program = { name: "dubplate", version: packageVersion };
    expect(health).toEqual({ status: "ok", version: "1.6.0", apiVersion: "1", program });
    expect(answer.result.serverInfo.version).toBe("1.6.0");
    expect(answer.result.protocolVersion).toBe("2025-06-18");
    for (const { instructions } of [answer.result, discovered.result]) {
      expect(instructions).toContain("1.6.0");
      expect(instructions).toContain(
        "Tool names, required parameters and result field names do not change within 1.x",
      );
    }
    expect(discovered.result.supportedVersions).toEqual(["2026-07-28"]);
  });
});

const wordsOf = (text: string) => new Set(text.split(" ").filter(Boolean));
const keyOf = ({ method, path }: DocumentedRoute) =>
  `${method} ${path.replace("/api/v1", "").replace(/:(\w+)/g, "{$1}")}`;
const scopeOf = ({ detail }: DocumentedRoute) =>
  (detail?.security as Record<string, string[]>[] | undefined)?.[0]?.apiKey?.[0];

describe("a selection of tools", () => {
  const namesOf = async (headers: Record<string, string>, request = modernRequest): Promise<string[]> => {
    const all = { "x-api-key": app.key, ...headers };
    const { result } = await jsonOf(await app.request("/mcp", request("tools/list", {}, all)));
    return result.tools.map(({ name }: Json) => name);
  };
  const reading = () =>
    tools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name as string);

  test("is chosen by name in X-MCP-Tools, in the order of the whole list, in both eras", async () => {
    const headers = { "x-mcp-tools": "get_track, list_tracks" };

    expect(await namesOf(headers)).toEqual(["list_tracks", "get_track"]);
    expect(await namesOf(headers, legacyRequest)).toEqual(["list_tracks", "get_track"]);
    expect(await namesOf({})).toHaveLength(39);
  });

  test("leaves out what changes something with X-MCP-Readonly", async () => {
    expect(await namesOf({ "x-mcp-readonly": "true" })).toEqual(reading());
    expect(await namesOf({ "x-mcp-readonly": "true", "x-mcp-tools": "get_track,delete_composer" })).toEqual([
      "get_track",
    ]);
    expect(await namesOf({ "x-mcp-readonly": "false" })).toHaveLength(39);
  });

  test("is all that can be called", async () => {
    const headers = { "x-api-key": app.key, "x-mcp-readonly": "true" };
    for (const request of [legacyRequest, modernRequest]) {
      const params = { name: "delete_composer", arguments: { composerId: "x" } };
      const { error } = await jsonOf(await app.request("/mcp", request("tools/call", params, headers)));

      expect([error.code, error.message]).toEqual([-32_602, expect.stringContaining("delete_composer")]);
    }
  });

  test("is refused when it names a tool that does not exist", async () => {
    const headers = { "x-api-key": app.key, "x-mcp-tools": "list_tracks,list_songs" };
    const response = await app.request("/mcp", modernRequest("tools/list", {}, headers));
    const { error } = await jsonOf(response);

    expect([response.status, error.code]).toEqual([400, -32_602]);
    expect(error.message).toContain('"list_songs"');
  });

  test("is not for other clients to keep", async () => {
    const listing = (headers: Record<string, string>) =>
      app.request("/mcp", modernRequest("tools/list", {}, { "x-api-key": app.key, ...headers }));
    const [whole, some] = [await listing({}), await listing({ "x-mcp-tools": "get_track" })];

    expect((await jsonOf(whole)).result.cacheScope).toBe("public");
    expect((await jsonOf(some)).result.cacheScope).toBe("private");
  });

  test("can be set for the whole server, and a header narrows it further", async () => {
    const small = await createToolApp({
      settings: { mcpTools: ["get_track", "list_tracks", "delete_composer"], mcpReadOnly: true },
    });
    const list = async (headers: Record<string, string>): Promise<string[]> => {
      const request = modernRequest("tools/list", {}, { "x-api-key": small.key, ...headers });
      return (await jsonOf(await small.request("/mcp", request))).result.tools.map(({ name }: Json) => name);
    };

    expect(await list({})).toEqual(["list_tracks", "get_track"]);
    expect(await list({ "x-mcp-tools": "get_track" })).toEqual(["get_track"]);
    await small.close();
  });
});
