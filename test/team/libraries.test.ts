import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { PersonId } from "../../db/schema.ts";
import { beginSession, findPerson } from "../../src/modules/people/people/service.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember, joinToo } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Ben, producer of a label and then owner of a studio: each has one track. */
function createBen() {
  const label = app.createAccount();
  const ben = addMember(app, label.accountId, { role: "producer" });
  app.clock.advance(1000);
  const studio = app.createAccount();
  joinToo(app, studio.accountId, ben.personId, { role: "manager" });
  const tracks = {
    label: addTrackRows(app.deps.db, label.accountId, { title: "Of the label" }).id,
    studio: addTrackRows(app.deps.db, studio.accountId, { title: "Of the studio" }).id,
  };
  return { ...ben, label: label.accountId, studio: studio.accountId, tracks, web: app.signedIn(ben.token) };
}

/** Signs a person in once more. */
function signInToo(personId: PersonId): string {
  const person = findPerson(app.deps.db, personId);
  if (!person) throw new Error("There is no such person");
  return beginSession(app.deps, person, { ip: "test", userAgent: null }).token;
}

const idsOf = ({ body }: { body: Json }) => body.data.map(({ id }: { id: string }) => id);

describe("somebody in two libraries", () => {
  test("is in the one joined first, and in the other when a request names it by field or in its address", async () => {
    const { web, label, studio, tracks } = createBen();
    const listed = async (path: string, headers = {}) => idsOf(await web("GET", path, undefined, headers));

    expect(await listed("/app/library/tracks")).toEqual([tracks.label]);
    expect(await listed("/app/library/tracks", { "x-library": studio })).toEqual([tracks.studio]);
    expect(await listed(`/app/library/tracks?in=${studio}&limit=5`)).toEqual([tracks.studio]);
    // The field is what a tab's own requests say.
    expect(await listed(`/app/library/tracks?in=${studio}`, { "x-library": label })).toEqual([tracks.label]);
  });

  test("is told by the session which libraries there are, and which one it is in", async () => {
    const { web, label, studio } = createBen();

    const { body } = await web("GET", `/auth/session?in=${studio}`);

    expect(body.data.library).toMatchObject({ id: studio, role: "manager" });
    expect(body.data.libraries).toEqual([
      { id: label, name: "Someone", role: "producer", isCurrent: false },
      { id: studio, name: "Someone", role: "manager", isCurrent: true },
    ]);
  });

  test("changes things in the library that the address names, and nothing of the other", async () => {
    const { web, studio, tracks } = createBen();
    const rename = (id: string) =>
      web("PATCH", `/app/library/tracks/details?id=${id}&in=${studio}`, { title: "Renamed" });

    const [own, foreign] = [await rename(tracks.studio), await rename(tracks.label)];

    expect([own.status, foreign.status, foreign.body.messageCode]).toEqual([200, 404, "track_not_found"]);
  });

  test("reaches no third library, and an address that names one says so", async () => {
    const { web } = createBen();
    const third = app.createAccount().accountId;

    const refused = await web("GET", `/app/library/tracks?in=${third}`);

    expect([refused.status, refused.body.messageCode]).toEqual([403, "not_a_member"]);
    expect((await web("GET", "/app/tracks?in=")).body.messageCode).toBe("not_a_member");
  });

  test("is in the other one by themselves when the one joined first has ended or is closed", async () => {
    const { web, label, personId, tracks } = createBen();
    const run = (sql: string, value: string) => app.deps.db.$client.run(sql, [value]);
    // As after the deletion of the library that the session chose last.
    run("UPDATE sessions SET account_id = NULL WHERE person_id = ?", personId);
    run("UPDATE accounts SET active = 0 WHERE id = ?", label);

    expect(idsOf(await web("GET", "/app/library/tracks"))).toEqual([tracks.studio]);
  });
});

describe("PUT /app/libraries/current", () => {
  test("moves the session to another library, for requests that name none, and for this session alone", async () => {
    const { web, studio, label, tracks, personId } = createBen();
    const second = app.signedIn(signInToo(personId));

    const chosen = await web("PUT", "/app/libraries/current", { id: studio });

    expect(chosen.body.data).toEqual({ id: studio, name: "Someone", role: "manager", isCurrent: true });
    expect(idsOf(await web("GET", "/app/library/tracks"))).toEqual([tracks.studio]);
    expect(idsOf(await web("GET", `/app/library/tracks?in=${label}`))).toEqual([tracks.label]);
    expect(idsOf(await second("GET", "/app/library/tracks"))).toEqual([tracks.label]);
  });

  test("refuses a library in which the person is not, and one that does not exist, alike", async () => {
    const { web, tracks } = createBen();
    const third = app.createAccount().accountId;

    const [foreign, unknown] = [
      await web("PUT", "/app/libraries/current", { id: third }),
      await web("PUT", "/app/libraries/current", { id: "usr_none" }),
    ];

    expect([foreign.status, foreign.body]).toEqual([403, unknown.body]);
    expect(foreign.body.messageCode).toBe("not_a_member");
    expect(idsOf(await web("GET", "/app/library/tracks"))).toEqual([tracks.label]);
  });
});

describe("POST /app/libraries", () => {
  test("is closed where registration is, except for the operator, and then founds nothing", async () => {
    const { web, personId } = createBen();

    const refused = await web("POST", "/app/libraries", { name: "Mine" });
    const before = (await web("GET", "/app/libraries")).body.data;
    app.deps.db.$client.run("UPDATE people SET operator = 0 WHERE operator = 1");
    app.deps.db.$client.run("UPDATE people SET operator = 1 WHERE id = ?", [personId]);
    const founded = await web("POST", "/app/libraries", { name: "Mine" });

    expect([refused.status, refused.body.messageCode]).toEqual([403, "registration_closed"]);
    expect(before).toHaveLength(2);
    expect(founded.body.data).toMatchObject({ name: "Mine", role: "owner" });
  });

  test("founds an empty library with credits of its own, which the person owns beside the first", async () => {
    const open = await createTestApp({ settings: { registrationOpen: true, searchCreditsDefault: 7 } });
    open.createAccount();
    const ana = open.createAccount();
    addTrackRows(open.deps.db, ana.accountId, {});
    const web = open.signedIn(ana.token);

    const founded = await web("POST", "/app/libraries", { name: " Night shift " });
    const { id } = founded.body.data;

    expect(founded.body.data).toEqual({ id, name: "Night shift", role: "owner", isCurrent: false });
    expect(id).not.toBe(ana.accountId);
    expect(idsOf(await web("GET", "/app/library/tracks"))).toHaveLength(1);
    expect(idsOf(await web("GET", `/app/library/tracks?in=${id}`))).toEqual([]);
    expect((await web("GET", `/app/credits?in=${id}`)).body.data).toMatchObject({ credits: 7 });
    const { $client } = open.deps.db;
    expect($client.query("SELECT count(*) AS n FROM people").get()).toEqual({ n: 2 });
    const logged =
      "SELECT account_id AS library FROM audit_log WHERE action = 'account.create' AND subject = ?";
    expect($client.query(logged).get(id)).toEqual({ library: id });

    for (let library = 2; library < 20; library++) await web("POST", "/app/libraries", { name: "More" });
    const over = await web("POST", "/app/libraries", { name: "One too many" });

    expect((await web("GET", "/app/libraries")).body.data).toHaveLength(20);
    expect([over.status, over.body.messageCode]).toEqual([409, "team_full"]);
    await open.close();
  });
});

describe("the name of a library", () => {
  test("is changed by those who manage it, and the people in it keep theirs", async () => {
    const { web, studio, label } = createBen();

    const [renamed, refused] = [
      await web("PATCH", `/app/library?in=${studio}`, { name: "Studio B" }),
      await web("PATCH", `/app/library?in=${label}`, { name: "Mine now" }),
    ];

    expect(renamed.body.data).toMatchObject({ id: studio, name: "Studio B", isCurrent: true });
    expect([refused.status, refused.body.data]).toEqual([
      403,
      { required: "manage:library", role: "producer" },
    ]);
    expect((await web("GET", "/auth/session")).body.data.user.name).toBe("The producer");
  });

  test("goes along with the name of its only member, and of nobody else", async () => {
    const alone = app.createAccount();
    const { web, studio } = createBen();

    await app.signedIn(alone.token)("PATCH", "/app/account", { name: "Ana Lind" });
    await web("PATCH", `/app/account?in=${studio}`, { name: "Ben" });

    const nameOf = (id: string) =>
      app.deps.db.$client.query("SELECT name FROM accounts WHERE id = ?").get(id);
    expect([nameOf(alone.accountId), nameOf(studio)]).toEqual([{ name: "Ana Lind" }, { name: "Someone" }]);
  });

  test("is the person's own in GET /app/account, whose thanks and brand are the library's", async () => {
    const { web, studio, label } = createBen();
    await web("PATCH", `/app/account?in=${studio}`, {
      thanks: { kept: "Yes!" },
      brand: { website: "https://b.example" },
    });

    const [inStudio, inLabel] = [
      (await web("GET", `/app/account?in=${studio}`)).body.data,
      (await web("GET", `/app/account?in=${label}`)).body.data,
    ];
    const refused = await web("PATCH", `/app/account?in=${label}`, { thanks: { kept: "No" } });

    expect([inStudio.id, inLabel.id]).toEqual([studio, label]);
    expect([inStudio.name, inLabel.name]).toEqual(["The producer", "The producer"]);
    expect([inStudio.thanks.kept, inLabel.thanks.kept]).toEqual(["Yes!", null]);
    expect([inStudio.brand.website, inLabel.brand.website]).toEqual(["https://b.example/", null]);
    expect([refused.status, refused.body.data.required]).toEqual([403, "manage:library"]);
  });
});

test("pages of no account show the brand of the library that the operator owns and joined first", async () => {
  const inner = await createTestApp({ settings: { registrationOpen: true } });
  const operator = inner.createAccount();
  const other = inner.createAccount();
  inner.clock.advance(1000);
  const web = inner.signedIn(operator.token);
  joinToo(inner, other.accountId, operator.accountId, { role: "manager" });
  const second = (await web("POST", "/app/libraries", { name: "Second" })).body.data.id;
  const brand = (library: string, name: string) =>
    web("PATCH", `/app/account?in=${library}`, { brand: { name } });
  const page = async () => {
    const headers = { accept: "text/html" };
    return (await inner.request("/track/none", { headers })).text();
  };

  await brand(other.accountId, "Harbour Records");
  await brand(second, "Night Shift");
  const before = await page();
  await brand(operator.accountId, "Ana Music");
  const after = await page();

  expect([before.includes("Harbour"), before.includes("Night Shift")]).toEqual([false, false]);
  expect(after).toContain("Ana Music");
  await inner.close();
});

test("a key knows no `in`: its library is its own", async () => {
  const { accountId } = app.createAccount();

  const { status, body } = await app.as(app.createKey(accountId))("GET", `/tracks?in=${accountId}`);

  expect([status, body.data.errors[0].code]).toEqual([400, "unknown_parameter"]);
});
