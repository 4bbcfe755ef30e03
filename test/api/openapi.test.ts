import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { EVENTS } from "../../src/kernel/event-data.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as plain JSON
type Json = any;
type Operation = {
  operationId: string;
  summary: string;
  security: object[];
  parameters?: Json[];
  responses: Record<string, Json>;
  requestBody?: Json;
};

let app: TestApp;
let text: string;
let document: Json;
let operations: [name: string, operation: Operation][];

beforeAll(async () => {
  app = await createTestApp();
  text = await (await app.request("/openapi.json")).text();
  document = JSON.parse(text);
  operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
});
afterAll(() => app.close());

/** Calls `visit` for every schema of the document, with where it stands. */
function everySchema(visit: (schema: Json, place: string) => void) {
  const walk = (value: Json, place: string) => {
    if (typeof value !== "object" || value === null) return;
    if (place.endsWith("/example") || place.endsWith("/examples")) return;
    if (value.type || value.enum || value.anyOf || value.properties) visit(value, place);
    for (const [key, each] of Object.entries(value)) walk(each, `${place}/${key}`);
  };
  walk(document, "");
}

describe("the OpenAPI document", () => {
  test("describes every route that is mounted", () => {
    const undocumented = app.app.routes
      .filter(({ detail }) => !detail?.operationId)
      // OAuth routes are described by their own metadata, the tool server by its protocol.
      .filter(({ path }) => !/^\/(\.well-known\/|oauth\/|mcp$)/.test(path))
      // Pages are for people.
      .filter(
        ({ path }) =>
          !/^\/($|(signin|signout|signup|setup|reset|forgot|confirm-address|join|library|manifest\.webmanifest)$|(track|playlist|library|submit|supply|mail\/stop|assets|icons|signin|auth\/provider)(\/|$))/.test(
            path,
          ),
      )
      // The protocol describes how files are sent: https://tus.io
      .filter(({ path }) => !/^\/(app|api\/v1)\/uploads(\/:id)?$/.test(path))
      // Addresses of version 0.5 that have moved.
      .filter(({ path }) => !/^\/app\/(tracks|playlists)\/(deleted|download)\/:/.test(path))
      // The same routes as under /api/v1, for a session.
      .filter(({ path }) => path !== "/app/library/*")
      .map(({ method, path }) => `${method} ${path}`);

    expect(undocumented).toEqual([
      "GET /openapi.json",
      "GET /swagger",
      "GET /swagger/start.js",
      "GET /swagger/script.js",
      "GET /swagger/style.css",
      // A protocol with documents of its own.
      "GET /rest/:method",
      "POST /rest/:method",
    ]);
  });

  test("gives every operation a unique id, a summary, security and its refusals", () => {
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(operations.length);
    for (const [name, operation] of operations) {
      expect([name, operation.summary.length > 5]).toEqual([name, true]);
      expect([name, Array.isArray(operation.security)]).toEqual([name, true]);
      expect([name, Object.keys(operation.responses)]).toEqual([
        name,
        expect.arrayContaining(["200", "405", "429", "500"]),
      ]);
      if (operation.security.length > 0)
        expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(["401"])]);
    }
  });

  test("has one named component for each thing, and refers to it", () => {
    const { schemas } = document.components;
    const referred = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]));

    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(["Track", "TrackListItem", "Version", "Share"]),
    );
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(["Playlist", "Composer", "Brief", "Delivery"]),
    );
    expect(Object.keys(schemas).filter((name) => !referred.has(name))).toEqual([]);
    const unnamed = operations.flatMap(([name, { requestBody }]) =>
      [requestBody?.content["application/json"] ?? {}]
        .filter(({ schema }) => schema?.type === "object")
        .map(() => name),
    );
    expect(unnamed).toEqual([]);
    const shapes = Map.groupBy(Object.entries<Json>(schemas), ([, schema]) =>
      JSON.stringify({ ...schema, description: undefined }),
    );
    const twins = [...shapes.values()]
      .filter((same) => same.length > 1)
      .map((same) => same.map(([name]) => name));
    expect(twins).toEqual([]);
  });

  test("describes every component, field, parameter and value of a choice", () => {
    const parameters = operations.flatMap(([name, { parameters: own = [] }]) =>
      own.filter(({ $ref }) => !$ref).map((each): [string, Json] => [`${name}: ${each.name}`, each]),
    );
    const fields: [string, Json][] = [];
    const choices: [string, Json][] = parameters.map(([name, { schema, description }]) => [
      name,
      { ...schema, description },
    ]);
    everySchema((schema, place) => {
      for (const [field, each] of Object.entries<Json>(schema.properties ?? {}))
        fields.push([`${place}/${field}`, each]);
      if (!place.includes("/parameters/")) choices.push([place, schema]);
    });
    const components = Object.entries<Json>(document.components.schemas);

    const silent = [...components, ...parameters, ...fields].filter(([, { description }]) => !description);
    expect(silent.map(([name]) => name)).toEqual([]);
    expect(choices.flatMap(([name, choice]) => unexplained(choice).map((value) => [name, value]))).toEqual(
      [],
    );
  });

  test("has an example of every request and every answer in JSON, which its schema allows", () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "document", components: document.components });
    const errorOf = ({ schema, example }: Json) => {
      const valid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
      return example === undefined ? "has no example" : !valid(example) && valid.errors?.[0];
    };
    const bodies = [
      ...operations.map(([name, { requestBody }]) => [`${name} request`, requestBody?.content]),
      ...operations.map(([name, { responses }]) => [`${name} answer`, responses[200]?.content]),
      ...Object.entries<Json>(document.webhooks).map(([name, { post }]) => [name, post.requestBody.content]),
    ].filter(([, content]) => content?.["application/json"]);

    expect(bodies.length).toBeGreaterThan(operations.length);
    const wrong = bodies.map(([name, content]) => [name, errorOf(content["application/json"])]);
    expect(wrong.filter(([, error]) => error)).toEqual([]);
  });

  test("has examples that are true of their field", () => {
    const wrong = exampleValues().filter(([holder, field, value]) => {
      const expected = EXPECTED.find(([fields]) => fields.test(`${holder}.${field}`))?.[1];
      return /^textx*$/.test(String(value)) || (expected && value !== null && !expected.test(String(value)));
    });

    expect(wrong.map((each) => each.join(" "))).toEqual([]);
  });

  test("gives no component a name that a generator gives to something else", () => {
    const names = Object.keys(document.components.schemas);
    // Go makes a function `NewX` for each X, TypeScript a type `XRequest` of the parameters of each operation x.
    const taken = new Set([
      ...names.map((name) => `New${name}`),
      ...operations.map(([, { operationId: id }]) => `${id[0]?.toUpperCase()}${id.slice(1)}Request`),
    ]);

    expect(names.filter((name) => taken.has(name))).toEqual([]);
  });

  test("names the header fields of answers", () => {
    const fieldsOf = (path: string, method: string, status: number) =>
      Object.keys(document.paths[path][method].responses[status].headers ?? {});

    expect(fieldsOf("/api/v1/tracks", "get", 200)).toEqual(
      expect.arrayContaining(["RateLimit", "RateLimit-Policy", "ETag", "Deprecation", "Sunset"]),
    );
    expect(fieldsOf("/api/v1/tracks", "get", 429)).toContain("Retry-After");
    expect(fieldsOf("/api/v1/playlists", "post", 200)).toContain("Idempotency-Replayed");
    expect(Object.keys(document.components.responses.MethodNotAllowed.headers)).toContain("Allow");
  });

  test("has every event with the shape of its body", () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(EVENTS));
    expect(document.components.schemas.TrackUpdatedEvent.properties.data.properties).toHaveProperty(
      "changed",
    );
  });
});

/** What the examples of fields are, by `holder.field`; the first that fits counts. */
const EXPECTED: readonly [fields: RegExp, value: RegExp][] = [
  [/^genres?\.name$|\.genres$|\.trackGenre$/, /^Ambient$/],
  [/^moods?\.name$|\.moods$/, /^Calm$/],
  [/^instruments?\.name$|\.instruments$/, /^Piano$/],
  [/^eras?\.name$|\.eras$/, /^1970s$/],
  [/^(user|author|composers|people)\.name$/, /^(Mara Lind|Jonas)$/],
  [/^tools\.name$/, /^list_tracks$/],
  [/^playlist\.id$|\.playlistId$/, /^pl_/],
  [/^brief\.id$|\.briefId$/, /^brf_/],
  [/^(composer|shareholder)\.id$|\.(composerId|shareholderId)$/, /^cmp_/],
  [/^versions\.id$|\.(versionId|activeVersionId|versionBefore)$/, /^ver_/],
  [/^user\.id$/, /^usr_/],
  [/^job\.id$/, /^job_/],
  [/\.isrc$/, /^[A-Z]{2}[A-Z0-9]{3}\d{7}$/],
  [/\.isni$/, /^\d{15}[\dX]$/],
  [/\.upc$/, /^\d{12,13}$/],
  [/\.ipi$/, /^\d{9,11}$/],
  [/\.accent$/, /^#[0-9a-f]{6}$/],
  [/\.(\w+Email|email)$/, /^\S+@\S+$/],
  [/\.(\w+At|releaseDate|deadline|waitingSince)$/, /^(\d{4}-\d\d-\d\d|\d+$)/],
  [/\.(\w+Url|url|link|share_link|image|cover|website)$/, /^https?:\/\//],
  [/\.(\w+[sS]ha256|sha256|cid)$/, /^[0-9a-f]{64}$/],
];

/** Returns every scalar in an example of the document, with its field and the field that holds its object. */
function exampleValues(): [holder: string, field: string, value: unknown][] {
  const found: [string, string, unknown][] = [];
  const walk = (value: Json, holder: string, field: string) => {
    if (Array.isArray(value)) for (const each of value) walk(each, holder, field);
    else if (typeof value === "object" && value !== null)
      for (const [name, each] of Object.entries(value)) walk(each, field, name);
    else found.push([holder, field, value]);
  };
  const find = (value: Json) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, each] of Object.entries(value)) {
      if (name === "example") walk(each, "", "");
      else find(each);
    }
  };
  find(document);
  return found;
}

/** Returns the values of a choice that its description does not name. */
const unexplained = ({ enum: values = [], description }: Json): string[] =>
  values.length > 1 ? values.filter((value: string) => !description?.includes(`\`${value}\``)) : [];

test("the page at /swagger loads everything from this server", async () => {
  const page = await (await app.request("/swagger")).text();

  const addresses = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(addresses).toContain("/swagger/script.js");
  for (const address of addresses.filter((each) => each.startsWith("/")))
    expect((await app.request(address)).status).toBe(200);
  expect(addresses.filter((each) => !each.startsWith("/") && each !== "data:,")).toEqual([]);
});
