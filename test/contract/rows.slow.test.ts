import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ASSIGNABLE_SCOPES } from "../../src/kernel/scopes.ts";
import { createPlatformKey } from "../../src/modules/people/keys/service.ts";
import type { Answer, Json } from "../support/app.ts";
import { type Case, casesOf, idPlacesOf } from "./cases.ts";
import { nameOf, type Row } from "./notation.ts";
import { SCENARIOS, scenarioOf } from "./scenarios.ts";
import { misfits } from "./shapes.ts";
import { ERRORS } from "./specification/errors.ts";
import { ROWS } from "./specification.ts";
import { addressOf, type Call, changed, createWorld, type Person, type World } from "./world.ts";

let world: World;
let owner: Person;
let stranger: Person;
let revoked: string;
let expired: string;
beforeAll(async () => {
  world = await createWorld();
  ({ owner, stranger } = world);
  expired = world.expiredKey(owner.accountId);
  revoked = world.app.createKey(owner.accountId);
  await owner.web("POST", `/integration/api-keys/${revoked.split(".")[0]}/revoke`);
  await Promise.all([owner.analysed(), stranger.analysed()]);
});
afterAll(() => world.close());

const rows = ROWS.map((row): [name: string, row: Row] => [nameOf(row), row]);
const withKey = rows.filter(([, { needs }]) => needs.includes(":"));
const withSession = rows.filter(([, { needs }]) => needs === "session token");
const happyCall = (row: Row, person: Person): Promise<Call> => scenarioOf(nameOf(row)).happy(person, world);
/** An account may have 50 keys, so rows that create keys use a new person. */
const personFor = (row: Row, person: Person) =>
  row.needs === "session token" ? world.createPerson() : person;

const refusal = (status: number, messageCode: string) => ({
  status,
  body: { statusCode: status, messageCode, message: expect.any(String), error: expect.any(String) },
});

describe("the tables", () => {
  test("the tables have exactly one scenario for every row, refusal and recoverable problem", () => {
    const needed = ROWS.map((row) => [
      nameOf(row),
      [...(row.refuses ?? [])].sort(),
      [...(row.inBody ?? [])].sort(),
    ]);
    const made = Object.entries(SCENARIOS).map(([name, { refusals = {}, inBody = {} }]) => [
      name,
      Object.keys(refusals).sort(),
      Object.keys(inBody).sort(),
    ]);

    expect(Object.fromEntries(made.map((each) => [each[0], each]))).toEqual(
      Object.fromEntries(needed.map((each) => [each[0], each])),
    );
    expect(new Set(ROWS.map(nameOf)).size).toBe(ROWS.length);
  });

  test("cover every mounted route of the API and of key management", () => {
    const known = new Set(ROWS.map((row) => `${row.method} ${mountedPath(row)}`));
    const mounted = world.app.app.routes
      .filter(({ path }) => path.startsWith("/api/v1/") || path.startsWith("/integration/"))
      .map(({ method, path }) => `${method} ${path.replace(/:\w+/g, "{}")}`);

    // Additive routes of decisions 4.35 and 4.37, the wait for analyses, a binary one, those of workers, and those that keys were given
    // later (record 0038) have their own tests.
    const additive = mounted.filter((route) => !known.has(route));
    expect(
      additive.filter(
        (route) =>
          !/\/integration\/api-keys\/(all|\{\}\/webhook)|\{\}\/(waveform|notes|mixes|join|keep-apart|rights|papers\/\{\}|readiness|family|proof)$|\/tracks\/(wait|bulk|search\/reference)$/.test(
            route,
          ) &&
          !/\/v1\/(uploads|bulk\/|platform\/work\/|shares|listeners$|recipients$|comments\/|notifications|webhook)|\{\}\/comments(\/answered)?$|\/versions\/\{\}\/(review|round)$|\/tracks\/\{\}\/lyrics(\/file)?$|^DELETE \/api\/v1\/playlists\/\{\}$|\/undo$/.test(
            route,
          ),
      ),
    ).toEqual([]);
  });

  test("are walked completely", () => {
    const count = (of: (row: Row) => number) => ROWS.reduce((sum, row) => sum + of(row), 0);
    const checks = {
      rows: ROWS.length,
      "field cases": count((row) => casesOf(row).length),
      refusals: count((row) => (row.refuses?.length ?? 0) + (row.inBody?.length ?? 0)),
      "id places": count((row) => idPlacesOf(row).length),
      errors: ERRORS.length,
    };
    console.log(
      `Contract: ${Object.entries(checks)
        .map(([name, number]) => `${number} ${name}`)
        .join(", ")}`,
    );

    expect(checks.rows).toBe(56);
  });
});

const mountedPath = ({ path }: Row) =>
  `${path.startsWith("/integration") ? "" : "/api/v1"}${path}`.replace(/\{\w+\}/g, "{}");

describe("answers as the tables say:", () => {
  test.each(rows)("%s", async (_, row) => {
    const person = personFor(row, owner);

    const answer = await person.send(row, await happyCall(row, person));

    expect(answer).toMatchObject({ status: 200, body: { status: 200, messageCode: 200, message: "OK" } });
    expect(misfits(row.answer, answer.body.data)).toEqual([]);
    if (row.paging)
      expect(misfits({ limit: "integer", next_cursor: "string|null" }, answer.body.paging)).toEqual([]);
    expect(answer.headers.get("x-service-api-version")).toBe("1");
  });

  test("HEAD answers wherever GET does", async () => {
    for (const [, row] of rows.filter(([, { method }]) => method === "GET")) {
      const person = personFor(row, owner);
      const call = await happyCall(row, person);
      const headers =
        row.needs === "session token" ? { authorization: `Bearer ${person.token}` } : keyHeader(row);

      const head = await world.app.request(addressOf(row, call), { method: "HEAD", headers });

      expect([nameOf(row), head.status, await head.text()]).toEqual([nameOf(row), 200, ""]);
    }
  });
});

const keyHeader = ({ needs }: Row): Record<string, string> =>
  needs === "nothing" ? {} : { "x-api-key": needs.startsWith("platform:") ? world.platformKey : owner.key };

describe("needs a key with its scope:", () => {
  test.each(withKey)("%s", async (_, row) => {
    const call = await happyCall(row, owner);
    const send = (headers: Record<string, string>) => world.send(row, call, headers);

    expect(await send({})).toMatchObject(refusal(401, "missing_api_key"));
    expect(await send({ authorization: `Bearer ${owner.token}` })).toMatchObject(
      refusal(401, "missing_api_key"),
    );
    for (const bad of ["nonsense", "key_x.y", `${owner.key}x`, revoked])
      expect(await send({ "x-api-key": bad })).toMatchObject(refusal(401, "invalid_key"));
    expect(await send({ "x-api-key": expired })).toMatchObject(refusal(401, "expired_key"));
    expect(await send({ "x-api-key": wrongKey(row) })).toMatchObject(refusal(403, "insufficient_scope"));
    expect(await send({ "x-api-key": otherKind(row) })).toMatchObject(refusal(403, "insufficient_scope"));
    expect((await send({ "x-api-key": rightKey(row) })).status).toBe(200);
  });
});

/** Returns a key with every scope of its kind except the one needed. */
function wrongKey({ needs }: Row): string {
  if (!needs.startsWith("platform:"))
    return ordinaryKey(ASSIGNABLE_SCOPES.filter((scope) => scope !== needs));
  return partnerKey(
    ["platform:read:file-requests", "platform:read:accounts"].filter((scope) => scope !== needs),
  );
}

const rightKey = ({ needs }: Row) =>
  needs.startsWith("platform:") ? partnerKey([needs]) : ordinaryKey([needs]);
const otherKind = ({ needs }: Row) =>
  needs.startsWith("platform:") ? ordinaryKey(["all"]) : world.platformKey;
const partnerKey = (scopes: string[]) =>
  createPlatformKey(world.app.deps, { name: "x", scopes, days: 1 }).key;

const keys = new Map<string, string>();
/** Returns one key per list of scopes, because an account may have only 50. */
function ordinaryKey(scopes: readonly string[]): string {
  const name = scopes.join();
  const key = keys.get(name) ?? world.app.createKey(owner.accountId, [...scopes]);
  keys.set(name, key);
  return key;
}

describe("needs a session token:", () => {
  test.each(withSession)("%s", async (_, row) => {
    const person = world.createPerson();
    const call = await happyCall(row, person);
    const send = (headers: Record<string, string>) => world.send(row, call, headers);

    expect(await send({})).toMatchObject(refusal(401, "missing_session_token"));
    expect(await send({ authorization: "Bearer nonsense" })).toMatchObject(
      refusal(401, "invalid_session_token"),
    );
    expect(await send({ "x-api-key": person.key })).toMatchObject(refusal(401, "missing_session_token"));
    expect(await send({ authorization: `Bearer ${person.key}` })).toMatchObject(
      refusal(401, "invalid_session_token"),
    );
  });
});

describe("refuses", () => {
  const cases = rows.flatMap(([name, row]) =>
    (row.refuses ?? []).map((code): [string, string, Row] => [name, code, row]),
  );
  // A gigabyte takes a while on a busy machine.
  test.each(cases)("%s with %s", async (name, code, row) => {
    const { by, ...call } = await attempt(row, scenarioOf(name).refusals?.[code]);

    const answer = await by.send(row, call);

    const [status, messageCode] = code.split(" ");
    expect(answer).toMatchObject(refusal(Number(status), messageCode ?? ""));
  });
});

describe("reports inside a 200", () => {
  const cases = rows.flatMap(([name, row]) =>
    (row.inBody ?? []).map((code): [string, string, Row] => [name, code, row]),
  );
  test.each(cases)("%s: %s", async (name, code, row) => {
    const { by, ...call } = await attempt(row, scenarioOf(name).inBody?.[code]);

    const { status, body } = await by.send(row, call);

    expect({ status, ...body }).toMatchObject({
      status: 200,
      messageCode: 200,
      data: { ok: false, error: code },
    });
    if (code === "TRACKS_NOT_FOUND")
      expect(misfits({ message: "string", missing: ["string"] }, body.data)).toEqual([]);
  });
});

async function attempt(
  row: Row,
  prepare: ((person: Person, world: World) => Promise<Call & { by?: Person }>) | undefined,
) {
  const person = personFor(row, owner);
  const made = await prepare?.(person, world);
  if (!made) throw new Error("There is no scenario for this");
  return { by: person, ...made };
}

describe("accepts each field at its limits and refuses it beyond:", () => {
  test.each(rows.filter(([, row]) => casesOf(row).length > 0))("%s", async (name, row) => {
    const wrong: string[] = [];
    for (const each of casesOf(row)) {
      const person = personFor(row, owner);
      const answer = await person.send(row, await callOf(row, person, each));
      const problem = problemOf(answer, each, scenarioOf(name).refusedAs?.[each.place]);
      if (problem) wrong.push(`${each.place} with ${each.what} ${problem}`);
    }

    expect(wrong).toEqual([]);
  });
});

async function callOf(row: Row, person: Person, { place, value, size }: Case): Promise<Call> {
  const call = await happyCall(row, person);
  if (size === undefined) return changed(call, place, value);
  const make = scenarioOf(nameOf(row)).sized?.[place];
  const first = place.split(".").reduce((at: Json, part) => at?.[part], call)?.[0];
  // `make` may change the rest of the call, so it comes first.
  const list = make ? await make(size, call, person) : Array(size).fill(first);
  return changed(call, place, list);
}

/** Returns what is wrong with an answer, or undefined. */
function problemOf({ status, body }: Answer, { accepted, place }: Case, otherCodes: readonly string[] = []) {
  const saw = `was answered ${status} ${JSON.stringify(body).slice(0, 200)}`;
  if (accepted) return status === 200 && body.data?.ok !== false ? undefined : saw;
  if (status !== 400) return saw;
  if (otherCodes.includes(body.messageCode)) return undefined;
  if (body.messageCode !== "validation_failed" || body.message !== "Invalid request") return saw;
  const field = place.replace(/^\w+\./, "");
  const named = body.data?.errors?.some(
    ({ path }: { path: string }) => field.startsWith(path) || path.startsWith(field),
  );
  return named ? undefined : saw;
}

describe("uses the default of the tables for a missing field:", () => {
  const withDefaults = rows.flatMap(([name, row]) =>
    (["query", "body", "form"] as const)
      .flatMap((part) => defaultsIn(part, row[part]))
      .map((each) => [name, ...each, row] as const),
  );
  test.each(withDefaults)("%s %s = %p", async (name, place, value, row) => {
    const call = changed(await happyCall(row, owner), place, undefined);
    const check = scenarioOf(name).defaults?.[place];

    const answer = await owner.send(row, call);

    expect(answer.status).toBe(200);
    if (check) expect(check(answer.body.data, answer)).toBe(true);
    else expect(answer.body).toEqual((await owner.send(row, changed(call, place, value))).body);
  });
});

function defaultsIn(place: string, inputs: Row["query"] = {}): [place: string, value: Json][] {
  return Object.entries(inputs).flatMap(([name, input]): [string, Json][] => [
    ...(input.default === undefined ? [] : [[`${place}.${name}`, input.default] as [string, Json]]),
    ...(input.is === "list" && input.item.is === "object"
      ? defaultsIn(`${place}.${name}.0`, input.item.fields)
      : []),
  ]);
}

describe("another account's id is answered like an unknown id:", () => {
  const cases = rows.flatMap(([name, row]) =>
    idPlacesOf(row).map((each) => [name, each.place, each.csv, row] as const),
  );
  test.each(cases)("%s %s", async (_, place, csv, row) => {
    const person = personFor(row, stranger);
    const theirs = valueAt(await happyCall(row, personFor(row, owner)), place, csv);
    const unknown = `${theirs.slice(0, -12)}${"0".repeat(12)}`;
    const mine = await happyCall(row, person);
    const before = await libraryOf(owner);

    // Without items of the other person, to make both requests have the same effect.
    const foreign = await person.send(row, changed(mine, place, theirs));
    const nothing = await person.send(row, changed(mine, place, unknown));

    expect(withoutNewIds(foreign, theirs)).toEqual(withoutNewIds(nothing, unknown));
    expect(await libraryOf(owner)).toEqual(before);
  });
});

function valueAt(call: Call, place: string, csv: boolean): string {
  const value: Json = place.split(".").reduce((at: Json, part) => at?.[part], call);
  if (typeof value !== "string") throw new Error(`The happy request has nothing at ${place}`);
  return csv ? (value.split(",")[0] ?? "") : value;
}

const withoutNewIds = ({ status, body }: Answer, asked: string) => {
  const text = JSON.stringify(body).replaceAll(asked, "<asked>");
  return { status, text: text.replace(/"(searchId|createdAt|updatedAt)":"[^"]*"/g, "") };
};

async function libraryOf(person: Person): Promise<Json> {
  const paths = [
    "/tracks?limit=200&fields=id,name,audio_profile,shareholders",
    "/playlists?limit=200",
    "/composers",
    "/briefs",
  ];
  return await Promise.all(paths.map((path) => person.api("GET", path)));
}

describe("the errors of section 7", () => {
  test("every error occurred in these tests, except those that no request can cause", () => {
    const known = ERRORS.filter(({ elsewhere }) => !elsewhere).map(
      ({ status, messageCode }) => `${status} ${messageCode}`,
    );

    expect(known.filter((code) => !world.refusalsMet.has(code))).toEqual([]);
  });
});
