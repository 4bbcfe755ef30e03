import { afterAll, beforeAll, expect, test } from "bun:test";
import fc, { type Arbitrary } from "fast-check";
import { createTestApp, type Json, jsonOf, type TestApp } from "../support/app.ts";
import { planOf, watchStatements } from "../support/statements.ts";
import { type Pools, textsOf, valuesOf } from "./arbitraries.ts";
import { newAudio, PNG } from "./files.ts";
import { createWorld, type Person, type World } from "./world.ts";

/** Requests per operation. For more, run `PROPERTY_RUNS=2000 bun test test/contract/property.slow.test.ts`. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 60);
const SEED = Number(process.env.PROPERTY_SEED ?? 20260115);
/** Processor time. Slow operations (passwords, pictures, downloads, music) get fewer requests, and at least one. */
const BUDGET_MS = RUNS * 4;

type Operation = {
  name: string;
  method: string;
  path: string;
  security: Record<string, unknown>[];
  parameters: { name: string; in: "path" | "query"; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
};
type RequestBody = NonNullable<RequestInit["body"]>;
type Request = {
  path: string;
  init: { method: string; headers: Record<string, string>; body?: RequestBody };
};

const statements = watchStatements();
const operations = await documentedOperations();
let world: World;
const answers = new Map<number, number>();
beforeAll(async () => {
  world = await createWorld();
});
afterAll(async () => {
  const summary = [...answers].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`Property: ${operations.length} operations, ${summary.join(", ")}`);
  await world.close();
});

// No request may cause a failure: `world.app.request` throws on an answer that the document does not describe, and
// nothing may be logged as a bug.
test.each(operations.map((operation) => [operation.name, operation] as const))(
  "%s answers every request as documented",
  async (_, operation) => {
    const { person, pools } = await furnished(operation);
    const logged = world.app.logged.length;
    const statuses: number[] = [];
    const end = usedMs() + BUDGET_MS;

    await fc.assert(
      fc.asyncProperty(requestsOf(operation, person, pools), async ({ path, init }) => {
        if (statuses.length > 0 && usedMs() > end) return;
        const response = await world.app.request(path, init);
        if (isStream(response)) await response.body?.cancel();
        else await response.arrayBuffer();
        statuses.push(response.status);
        answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
        const bug = world.app.logged.slice(logged).find(({ level }) => level === "error");
        if (bug)
          throw new Error(`${bug.message}: ${JSON.stringify(bug.fields)}`, { cause: bug.fields?.error });
      }),
      { numRuns: RUNS, seed: SEED },
    );

    expect(statuses.length).toBeGreaterThan(0);
  },
);

test("the requests were valid often enough, and invalid often enough", () => {
  const total = [...answers.values()].reduce((sum, count) => sum + count, 0);

  expect((answers.get(200) ?? 0) / total).toBeGreaterThan(0.2);
  expect((answers.get(400) ?? 0) / total).toBeGreaterThan(0.1);
  expect(answers.get(404) ?? 0).toBeGreaterThan(10);
  expect(answers.get(500)).toBeUndefined();
});

/** Returns the processor time that this process has used: how many requests are sent does not depend on what else runs. */
function usedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** A stream of events has no end to wait for. */
const isStream = ({ headers }: Response) => headers.get("content-type")?.startsWith("text/event-stream");

// Without statistics SQLite takes an owner for as good a hold as a name, and reads a library to find one track in it.
test("no operation reads every track of an account to find those that something else names", () => {
  const plans = [...statements].map((sql) => ({ sql, steps: planOf(world.app.deps.db.$client, sql) }));
  const reads = plans.filter(({ steps }) => {
    const searches = steps.filter((step) => /^(?:SEARCH|SCAN) (?!CONSTANT)/.test(step));
    return (
      searches.length > 1 && searches.some((step) => / INDEX tracks_by_owner\w* \(owner_id=\?\)$/.test(step))
    );
  });

  expect(plans.filter(({ steps }) => steps.length > 0).length).toBeGreaterThan(150);
  // Duplicates are looked for among all tracks.
  const others = reads.filter(({ sql }) => !/^WITH (?:sames|recorded) AS /.test(sql));
  expect(others.map(({ sql, steps }) => [sql, ...steps])).toEqual([]);
});

async function documentedOperations(): Promise<Operation[]> {
  const app: TestApp = await createTestApp();
  const { paths } = await jsonOf(await app.request("/openapi.json"));
  await app.close();
  return Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, { security, parameters = [], requestBody }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      security,
      parameters,
      requestBody,
    })),
  );
}

/** Makes a person for one operation with one item of every kind, because it may delete or revoke them. */
async function furnished(operation: Operation): Promise<{ person: Person; pools: Pools }> {
  const person = world.createPerson();
  const trackId = await person.track();
  const other = await person.track();
  const { activeVersionId } = await person.api("GET", `/tracks/single?id=${trackId}`);
  const playlistId = await person.playlist([trackId, other]);
  const composer = await person.composer();
  const briefId = await person.brief();
  await person.submit(briefId, trackId);
  const share = await person.web("POST", "/app/shares", { trackId });
  const comment = await person.web("POST", `/app/tracks/${trackId}/comments`, { text: "Lovely" });
  const [notification] = await person.web("GET", "/app/notifications");
  const key = operation.path.startsWith("/integration") ? (await person.newKey()).id : "";
  const { paging } = (await world.app.as(person.key)("GET", "/tracks?limit=1")).body;
  // The first entry whose words are in the field's name, or else in the path, gives the field's kind.
  const things: [words: RegExp, id: string][] = [
    [/version/i, activeVersionId],
    [/comment/i, comment.id],
    [/share(?!holder)/i, share.id],
    [/brief|request/i, briefId],
    [/playlist/i, playlistId],
    [/composer|shareholder/i, composer.id],
    [/notification/i, notification?.id ?? "ntf_none"],
    [/key/i, key],
    [/track/i, trackId],
  ];
  const rest = [
    ...things.map(([, id]) => id),
    other,
    await foreignTrack(),
    `${trackId},${other}`,
    "trk_none",
    "..",
    "x",
  ];
  const meant = (name: string) =>
    things.find(([words]) => words.test(name)) ?? things.find(([words]) => words.test(operation.path));
  return {
    person,
    pools: {
      idsFor: (name) => [...Array(rest.length).fill(meant(name)?.[1] ?? trackId), ...rest],
      cursors: [paging.next_cursor, composer.id, "nonsense", "bnVsbA", "WzEsMl0"],
      urls: urls(),
    },
  };
}

let foreign: Promise<string> | undefined;
const foreignTrack = () => {
  foreign ??= world.stranger.track();
  return foreign;
};

const urls = () => [
  `${world.files}/a.wav`,
  `${world.files}/cover.png`,
  `${world.files}/missing`,
  `${world.files}/page`,
  `data:image/png;base64,${PNG.toString("base64")}`,
  "data:image/png;base64,####",
  "https://hooks.example/in",
  "http://127.0.0.2/x",
  "https://[::1]/",
  "http://someone:secret@127.0.0.2/",
  "http://127.0.0.1:99999/",
  "ftp://127.0.0.1/",
  "nonsense",
  "",
];

/** Returns requests of an operation, with each part valid or not, independently. */
function requestsOf(operation: Operation, person: Person, pools: Pools): Arbitrary<Request> {
  const places = (place: "path" | "query") => operation.parameters.filter((each) => each.in === place);
  const segments = fc.tuple(...places("path").map(({ name, schema }) => textsOf(schema, name, pools)));
  const query = fc.tuple(
    ...places("query").map(({ name, schema }) =>
      fc
        .tuple(fc.nat(9), textsOf(schema, name, pools))
        .map(([dice, text]) => (dice < 5 ? [[name, text]] : [])),
    ),
    fc.constantFrom<string[][]>([], [], [], [["unknown", "1"]], [["limit", "1"]]),
  );
  return fc.record({ segments, query, odd: fc.nat(40), body: bodiesOf(operation, pools) }).map((parts) => {
    let index = 0;
    const path = operation.path.replace(/\{\w+\}/g, () => segment(parts.segments[index++] ?? ""));
    const search = new URLSearchParams(parts.query.flat() as [string, string][]).toString();
    const oddSearch = parts.odd === 0 ? "&%zz=%ff&=&limit=1&limit=2" : "";
    const headers = {
      ...(parts.odd === 1 ? {} : credentialOf(operation, person)),
      // Names that are unknown are refused; most requests shall come further.
      ...(parts.odd % 8 !== 2 && { "dubplate-lenient": "1" }),
      ...parts.body.headers,
    };
    const { body } = parts.body;
    return {
      path: `${path}?${search}${oddSearch}`,
      init: { method: operation.method, headers, ...(body !== undefined && { body }) },
    };
  });
}

/** A lone surrogate has no bytes; in an address it becomes the replacement character. */
const segment = (text: string) => encodeURIComponent(text.slice(0, 4000).toWellFormed()) || "x";

function credentialOf({ path, security }: Operation, { key, token }: Person): Record<string, string> {
  if (security[0]?.session) return { authorization: `Bearer ${token}` };
  if (!security[0]?.apiKey) return {};
  return { "x-api-key": path.includes("/platform/") ? world.platformKey : key };
}

type Body = { headers: Record<string, string>; body: RequestBody | undefined };

function bodiesOf({ requestBody }: Operation, pools: Pools): Arbitrary<Body> {
  const content = requestBody?.content ?? {};
  if (content["multipart/form-data"]) return forms(content["multipart/form-data"].schema, pools);
  const schema = content["application/json"]?.schema;
  if (!schema) return fc.constant({ headers: {}, body: undefined });
  const json = valuesOf(schema, "body", pools).map(
    (value): Body => ({ headers: { "content-type": "application/json" }, body: JSON.stringify(value) }),
  );
  const raw = fc.constantFrom<Body>(
    { headers: { "content-type": "application/json" }, body: "{" },
    { headers: { "content-type": "application/json" }, body: "" },
    { headers: { "content-type": "application/json" }, body: '{"__proto__":{"id":1},"a":1e999}' },
    { headers: { "content-type": "application/json" }, body: "[".repeat(50_000) },
    {
      headers: { "content-type": "application/json" },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    },
    { headers: { "content-type": "text/plain" }, body: "{}" },
    { headers: {}, body: undefined },
  );
  return fc.oneof({ weight: 15, arbitrary: json }, { weight: 1, arbitrary: raw });
}

function forms(schema: Json, pools: Pools): Arbitrary<Body> {
  const file = fc.constantFrom("audio", "text", "empty").chain((kind) =>
    fc.constantFrom("take.wav", "", "../x", 'a"b\r\n.wav', "é.wav", "x".repeat(300)).map((name) => {
      const bytes = kind === "audio" ? newAudio() : new TextEncoder().encode(kind === "text" ? "la la" : "");
      return new File([bytes], name, { type: kind === "audio" ? "audio/wav" : "" });
    }),
  );
  const fields = Object.entries<Json>(schema.properties).map(([name, property]) => {
    const isFile = property.format === "binary" || property.items?.format === "binary";
    const values: Arbitrary<(File | string)[]> = isFile
      ? fc.array(fc.oneof({ weight: 9, arbitrary: file }, fc.string()), { maxLength: 3 })
      : fc.array(textsOf(property, name, pools), { maxLength: 2 });
    return values.map((list) => list.map((value): [string, File | string] => [name, value]));
  });
  const whole = fc.tuple(...fields).map((lists): Body => {
    const form = new FormData();
    for (const [name, value] of lists.flat()) form.append(name, value);
    return { headers: {}, body: form };
  });
  const broken = fc.constantFrom<Body>(
    { headers: { "content-type": "multipart/form-data" }, body: "--x" },
    {
      headers: { "content-type": "multipart/form-data; boundary=b" },
      body: "--b\r\ncontent-disposition: form-data",
    },
    { headers: { "content-type": "application/json" }, body: "{}" },
    { headers: {}, body: undefined },
  );
  return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: broken });
}
