import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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

test("a key knows no `in`: its library is its own", async () => {
  const { accountId } = app.createAccount();

  const { status, body } = await app.as(app.createKey(accountId))("GET", `/tracks?in=${accountId}`);

  expect([status, body.data.errors[0].code]).toEqual([400, "unknown_parameter"]);
});
