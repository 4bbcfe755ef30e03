import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addTracks } from "../support/library.ts";

const NOTHING = {
  genres: [],
  moods: [],
  instruments: [],
  vocalTypes: [],
  lyricThemes: [],
  audioTypes: [],
  eras: [],
  characters: [],
  movements: [],
  energy: null,
  valence: null,
};

type Seen = { path: string; headers: Headers; body: Json };

/** The answer of an endpoint on loopback, set by each test. */
let answer: (request: Request) => Response | Promise<Response>;
let seen: Seen[];
let endpoint: ReturnType<typeof Bun.serve>;
let app: TestApp;
let key: string;

const reply = (reading: unknown) =>
  Response.json({
    choices: [
      {
        message: {
          role: "assistant",
          content: typeof reading === "string" ? reading : JSON.stringify(reading),
        },
      },
    ],
  });
const search = async (query: string) => {
  const { status, body } = await app.as(key)("POST", "/tracks/search", { query });
  expect(status).toBe(200);
  return body.data.interpretation;
};

beforeAll(() => {
  endpoint = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      seen.push({
        path: new URL(request.url).pathname,
        headers: request.headers,
        body: await request.clone().json(),
      });
      return answer(request);
    },
  });
});
afterAll(() => endpoint.stop(true));
beforeEach(async () => {
  seen = [];
  answer = () => reply(NOTHING);
  const url = `http://127.0.0.1:${endpoint.port}/v1`;
  app = await createTestApp({ settings: { languageModel: { url, model: "tiny", apiKey: "sk-secret" } } });
  const { accountId } = app.createAccount();
  key = app.createKey(accountId);
  addTracks(app, accountId, [
    { title: "Velvet", artist: "Nora Quill", tags: { genres: ["Techno"], moods: ["Dark"] } },
    { title: "Meadow", tags: { genres: ["Folk"], moods: ["Happy"] } },
  ]);
});
afterEach(() => app.close());

describe("with a language model", () => {
  test("the model's names are added to the rules' reading, and the answer says so", async () => {
    answer = () => reply({ ...NOTHING, genres: ["techno"], moods: ["dark"], energy: 0.8 });

    const interpretation = await search("music for a warehouse at four in the morning, 128 bpm");

    expect(interpretation.genres).toContain("Techno");
    expect(interpretation).toMatchObject({ briefParsed: true, bpmRange: expect.any(Array) });
    expect(interpretation.appliedTuning.parser).toMatchObject({ name: "rules+model", model: "tiny" });
  });

  test("the brief alone is sent, with the key, to the configured endpoint", async () => {
    await search("dark techno");

    expect(seen).toHaveLength(1);
    expect(seen[0]?.path).toBe("/v1/chat/completions");
    expect(seen[0]?.headers.get("authorization")).toBe("Bearer sk-secret");
    expect(seen[0]?.body).toMatchObject({
      model: "tiny",
      temperature: 0,
      messages: [{ role: "system" }, { role: "user", content: "dark techno" }],
      response_format: { type: "json_schema", json_schema: { strict: true } },
    });
    const sent = JSON.stringify(seen[0]?.body);
    for (const privately of ["Nora Quill", "Velvet", "Meadow"]) expect(sent).not.toContain(privately);
    expect(JSON.stringify(app.logged)).not.toContain("sk-secret");
  });

  test("the same brief is sent only once", async () => {
    answer = () => reply({ ...NOTHING, genres: ["techno"] });

    const first = await search("warehouse at night");
    const second = await search("warehouse at night");

    expect(seen).toHaveLength(1);
    expect(second).toEqual(first);
  });

  test("exclusions of the brief are kept, and numbers come from the rules", async () => {
    answer = () =>
      reply({
        ...NOTHING,
        genres: ["techno", "minimal_techno"],
        vocalTypes: ["female_vocals"],
        bpmRange: [60, 70],
      });

    const interpretation = await search("dark, 128 bpm, no techno, no vocals");

    expect(interpretation.genres).toEqual([]);
    expect(interpretation.excluded.genres).toContain("Techno");
    expect(interpretation.vocals).not.toContain("Female Vocals");
    expect(interpretation.vocalPreference).toBe("instrumental");
    expect(interpretation.bpmRange[0]).toBeGreaterThan(120);
  });

  test("unknown names are dropped and counted, and do not use up a list's room", async () => {
    const every = ["techno", "house", "folk", "jazz", "rock", "pop", "ambient", "blues"];
    answer = () => reply({ ...NOTHING, genres: [...every, "warehouse_core"], moods: ["__proto__", "dark"] });

    const interpretation = await search("something for a warehouse");

    expect(interpretation.genres.length).toBeLessThanOrEqual(6);
    expect(interpretation.moods).toEqual(["Dark"]);
    expect(interpretation.appliedTuning.parser.dropped).toBeGreaterThanOrEqual(4);
  });
});

describe("when the model fails, the rules' reading is used", () => {
  const alone = async (query: string) => {
    const plain = await createTestApp();
    const { body } = await plain.as(plain.createKey(plain.createAccount().accountId))(
      "POST",
      "/tracks/search",
      {
        query,
      },
    );
    await plain.close();
    return body.data.interpretation;
  };

  test.each<[string, () => Response, string]>([
    ["it answers 500", () => new Response("no", { status: 500 }), "refused"],
    [
      "it redirects",
      () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }),
      "refused",
    ],
    ["it answers prose", () => reply("Sure! The brief asks for dark techno."), "invalid_answer"],
    ["it does not answer JSON", () => new Response("<html>"), "invalid_answer"],
    ["it answers an empty list of choices", () => Response.json({ choices: [] }), "invalid_answer"],
    ["it answers with wrong types", () => reply({ ...NOTHING, genres: "techno" }), "invalid_answer"],
    ["it leaves lists out", () => reply({ genres: ["techno"] }), "invalid_answer"],
    ["its numbers are out of range", () => reply({ ...NOTHING, energy: 7 }), "invalid_answer"],
    [
      "it names a thousand tags",
      () => reply({ ...NOTHING, moods: Array(1000).fill("dark") }),
      "invalid_answer",
    ],
    ["its answer is huge", () => new Response("x".repeat(200_000)), "unavailable"],
  ])("%s", async (_, say, fallback) => {
    answer = say;

    const { appliedTuning, ...interpretation } = await search("dark techno, 128 bpm");

    expect(appliedTuning.parser).toEqual({ name: "rules", model: "tiny", fallback });
    expect(interpretation).toMatchObject({ briefParsed: true, genres: ["Techno"], moods: ["Dark"] });
    expect(interpretation.bpmRange).toEqual((await alone("dark techno, 128 bpm")).bpmRange);
  });

  test("a brief that the rules cannot read is reported as unread", async () => {
    answer = () => new Response("no", { status: 503 });

    expect(await search("qqqq zzzz")).toMatchObject({
      briefParsed: false,
      appliedTuning: { parser: { name: "rules", fallback: "refused" } },
    });
  });

  test("a hanging endpoint is abandoned after two seconds", async () => {
    const never = Promise.withResolvers<Response>();
    answer = () => never.promise;

    const interpretation = await search("dark techno");

    never.resolve(new Response());
    expect(interpretation).toMatchObject({
      genres: ["Techno"],
      appliedTuning: { parser: { fallback: "timeout" } },
    });
  });

  test("the endpoint is not asked for a minute after three failures; then one trial decides", async () => {
    answer = () => new Response("no", { status: 500 });
    for (const query of ["dark techno one", "dark techno two", "dark techno three"]) await search(query);

    expect((await search("dark techno four")).appliedTuning.parser.fallback).toBe("paused");
    expect(seen).toHaveLength(3);

    app.clock.advance(MINUTE_MS);
    await search("dark techno five");
    expect((await search("dark techno six")).appliedTuning.parser.fallback).toBe("paused");
    expect(seen).toHaveLength(4);

    app.clock.advance(MINUTE_MS);
    answer = () => reply(NOTHING);
    expect((await search("dark techno seven")).appliedTuning.parser.name).toBe("rules+model");
    expect((await search("dark techno eight")).appliedTuning.parser.name).toBe("rules+model");
  });
});

test("without the setting no model is asked or mentioned", async () => {
  const plain = await createTestApp();
  const as = plain.as(plain.createKey(plain.createAccount().accountId));

  const { body } = await as("POST", "/tracks/search", { query: "dark techno" });

  expect(body.data.interpretation.appliedTuning.parser).toBeUndefined();
  expect(seen).toHaveLength(0);
  await plain.close();
});
