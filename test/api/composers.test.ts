import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { composers, events } from "../../db/schema.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes a new account and returns its API with a key that has every scope. */
function owner() {
  const { accountId } = app.createAccount();
  const api = app.as(app.createKey(accountId));
  let made = 0;
  return {
    accountId,
    api,
    /** Adds a composer and returns it. */
    add: async (fields: object = {}) => {
      made++;
      const sent = { fullName: `Person ${made}`, email: `person${made}@example.com`, ...fields };
      return (await api("POST", "/composers", sent)).body.data;
    },
    /** Links a composer to a new track; returns the track's id. */
    link: async (shareholderId: string, share = 50, role = "Composer", name = "Night Bus.wav") => {
      const { id } = addTrackRows(app.deps.db, accountId, { name });
      const shareholders = [{ shareholderId, share, role }];
      await api("PUT", `/tracks/shareholders?id=${id}`, { shareholders });
      return id;
    },
  };
}

/** Returns an account's events in the order emitted, without the fields common to all. */
const eventsOf = (accountId: string) =>
  app.deps.db
    .select({ type: events.type, data: events.data })
    .from(events)
    .where(eq(events.ownerId, accountId))
    .orderBy(asc(events.at), asc(events.id))
    .all();

describe("POST /composers", () => {
  test("adds a composer with every field and announces it", async () => {
    const { api, accountId } = owner();

    const { status, body } = await api("POST", "/composers", {
      fullName: "  Ada Example ",
      email: " Ada@Example.COM ",
      artistName: "A.",
      publisher: "Example Songs",
      pro: "None",
      ipi: "00012345678",
    });

    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^shr_/),
      userId: accountId,
      fullName: "Ada Example",
      artistName: "A.",
      email: "ada@example.com",
      publisher: "Example Songs",
      pro: "None",
      ipi: "00012345678",
      createdAt: "2026-01-15T12:00:00.000Z",
      tracks: [],
    });
    expect(eventsOf(accountId)).toEqual([
      {
        type: "composer.created",
        data: {
          composerId: body.data.id,
          changed: ["fullName", "email", "artistName", "publisher", "pro", "ipi"],
        },
      },
    ]);
  });

  test("stores missing, null and blank fields as null", async () => {
    const { add } = owner();

    expect(await add({ artistName: " ", publisher: null })).toMatchObject({
      artistName: null,
      publisher: null,
      pro: null,
      ipi: null,
    });
  });

  test("refuses an address that the account already has, in any case, but not another account's", async () => {
    const { api, add } = owner();
    await add({ email: "same@example.com" });

    const sent = { fullName: "Another", email: " SAME@example.com" };
    const { status, body } = await api("POST", "/composers", sent);

    expect([status, body.messageCode]).toEqual([400, "duplicate_email"]);
    expect((await owner().api("POST", "/composers", sent)).status).toBe(200);
    expect((await api("GET", "/composers/count")).body.data).toEqual({ count: 1 });
  });

  test.each([
    ["no name", { email: "a@example.com" }, "fullName"],
    ["a blank name", { fullName: " ", email: "a@example.com" }, "fullName"],
    ["a name of 201 characters", { fullName: "x".repeat(201), email: "a@example.com" }, "fullName"],
    ["no address", { fullName: "A" }, "email"],
    ["text that is not an address", { fullName: "A", email: "nobody" }, "email"],
    ["a number instead of text", { fullName: "A", email: "a@example.com", ipi: 1 }, "ipi"],
  ])("refuses %s", async (_, sent, path) => {
    const { status, body } = await owner().api("POST", "/composers", sent);

    expect([status, body.messageCode, body.data.errors[0].path]).toEqual([400, "validation_failed", path]);
  });
});

describe("GET /composers", () => {
  test("lists composers with their tracks, newest first", async () => {
    const { api, add, link } = owner();
    const [first, second] = [await add(), await add()];
    const track = await link(first.id, 33.5, "Writer", "A.wav");

    const { body } = await api("GET", "/composers");

    expect(body.paging).toEqual({ limit: 100, next_cursor: null });
    expect(body.data).toEqual([
      second,
      {
        ...first,
        tracks: [
          {
            share: 33.5,
            role: "Writer",
            track: { id: track, name: "A.wav", createdAt: "2026-01-15T12:30:00.000Z" },
          },
        ],
      },
    ]);
  });

  test("pages by the last id, even if that composer has been deleted", async () => {
    const { api, accountId } = owner();
    const ids = Array.from(
      { length: 205 },
      (_, index) => `shr_${accountId}_${String(index).padStart(3, "0")}`,
    );
    for (const [index, id] of ids.entries()) {
      const row = {
        id,
        ownerId: accountId,
        fullName: "Someone",
        email: `${index}@example.com`,
        createdAt: 7,
      };
      app.deps.db.insert(composers).values(row).run();
    }

    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body }: { body: { data: { id: string }[]; paging: { next_cursor: string | null } } } =
        await api("GET", `/composers${cursor === null ? "" : `?cursor=${cursor}`}`);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.paging.next_cursor;
      if (cursor !== null) {
        expect(cursor).toBe(seen.at(-1) ?? "");
        await api("DELETE", `/composers?id=${cursor}`);
      }
    } while (cursor !== null);

    expect(seen).toEqual(ids.toReversed());
  });

  test("refuses a cursor that is not a composer of the account", async () => {
    const foreign = await owner().add();

    for (const cursor of ["shr_nothing", foreign.id, ""]) {
      const { status, body } = await owner().api("GET", `/composers?cursor=${cursor}`);
      expect([status, body.data.errors[0].path]).toEqual([400, "cursor"]);
    }
  });
});

describe("GET /composers/single", () => {
  test("returns one composer", async () => {
    const { api, add, accountId } = owner();
    const composer = await add();

    const { body } = await api("GET", `/composers/single?id=${composer.id}`);

    expect(body.data).toEqual({ composer, id: composer.id, userId: accountId });
  });

  test("is null for an unknown composer, another account's and a deleted one", async () => {
    const { api, add } = owner();
    const deleted = await add();
    await api("DELETE", `/composers?id=${deleted.id}`);

    for (const id of ["shr_nothing", (await owner().add()).id, deleted.id]) {
      const { status, body } = await api("GET", `/composers/single?id=${id}`);
      expect(status).toBe(200);
      expect(body.data).toEqual({ composer: null, id, userId: null });
    }
  });

  test("needs an id", async () => {
    expect((await owner().api("GET", "/composers/single")).status).toBe(400);
  });
});

describe("PATCH /composers", () => {
  test("changes the fields sent, returns them, and announces what changed", async () => {
    const { api, add, accountId } = owner();
    const { id, email } = await add({ pro: "Old" });

    const { body } = await api("PATCH", "/composers", { id, fullName: "New Name", pro: null, email });

    expect(body.data).toEqual({ success: true, composer: { id, fullName: "New Name", pro: null, email } });
    expect(eventsOf(accountId).at(-1)).toEqual({
      type: "composer.updated",
      data: { composerId: id, changed: ["fullName", "pro"] },
    });
    const { composer } = (await api("GET", `/composers/single?id=${id}`)).body.data;
    expect(composer).toMatchObject({ fullName: "New Name", pro: null, email, artistName: null });
  });

  test.each([{}, { pro: "Same" }])("a change that sends %p changes and announces nothing", async (sent) => {
    const { api, add, accountId } = owner();
    const { id } = await add({ pro: "Same" });

    const { status, body } = await api("PATCH", "/composers", { id, ...sent });

    expect(status).toBe(200);
    expect(body.data).toEqual({ success: true, composer: { id, ...sent } });
    expect(eventsOf(accountId).map(({ type }) => type)).toEqual(["composer.created"]);
  });

  test("may keep its own address in another case, but not take another composer's", async () => {
    const { api, add } = owner();
    const [first, second] = [await add(), await add()];

    const own = await api("PATCH", "/composers", { id: first.id, email: first.email.toUpperCase() });
    const taken = await api("PATCH", "/composers", { id: first.id, email: ` ${second.email}` });

    expect(own.body.data.composer.email).toBe(first.email);
    expect([taken.status, taken.body.messageCode]).toEqual([400, "duplicate_email"]);
  });

  test.each([
    [null, "Songs", "publisher.linked_to_track", "Songs"],
    ["Songs", "Tunes", "publisher.track_updated", "Tunes"],
    ["Songs", null, "publisher.unlinked_from_track", "Songs"],
  ])(
    "tells each linked track when the publisher goes from %p to %p",
    async (before, after, type, publisher) => {
      const { api, add, link, accountId } = owner();
      const { id } = await add({ publisher: before });
      const tracks = [await link(id), await link(id)];

      await api("PATCH", "/composers", { id, publisher: after });

      expect(eventsOf(accountId).slice(-2)).toEqual(
        tracks.map((trackId) => ({ type, data: { trackId, shareholderId: id, publisher } })),
      );
    },
  );

  test.each([
    ["no id", {}, "id"],
    ["a null name", { id: "shr_1", fullName: null }, "fullName"],
    ["a null address", { id: "shr_1", email: null }, "email"],
  ])("refuses %s", async (_, sent, path) => {
    const { status, body } = await owner().api("PATCH", "/composers", sent);

    expect([status, body.data.errors[0].path]).toEqual([400, path]);
  });
});

describe("DELETE /composers", () => {
  test("removes the composer from the library, announces the changed tracks, and frees the address", async () => {
    const { api, add, link, accountId } = owner();
    const { id, email } = await add({ publisher: "Songs", pro: "P", ipi: "1", artistName: "A" });
    const trackId = await link(id, 40, "Writer");

    const { body } = await api("DELETE", `/composers?id=${id}`);

    expect(body.data).toEqual({ success: true });
    expect(eventsOf(accountId).slice(-2)).toEqual([
      {
        type: "shareholder.unlinked_from_track",
        data: { trackId, shareholderId: id, share: 40, role: "Writer" },
      },
      {
        type: "publisher.unlinked_from_track",
        data: { trackId, shareholderId: id, publisher: "Songs" },
      },
    ]);
    const { track } = (await api("GET", `/tracks/single?id=${trackId}`)).body.data;
    expect(track.shareholderTracks).toEqual([]);
    expect((await api("GET", "/composers")).body.data).toEqual([]);
    expect((await api("GET", "/composers/count")).body.data).toEqual({ count: 0 });
    expect(app.deps.db.select().from(composers).where(eq(composers.id, id)).get()).toMatchObject({
      fullName: "",
      email: null,
      artistName: null,
      publisher: null,
      pro: null,
      ipi: null,
    });
    expect((await api("POST", "/composers", { fullName: "Again", email })).status).toBe(200);
  });

  test("needs an id", async () => {
    expect((await owner().api("DELETE", "/composers")).status).toBe(400);
  });
});

test.each(["PATCH", "DELETE"])(
  "%s of an unknown, another account's or a deleted composer is 404",
  async (method) => {
    const { api, add, accountId } = owner();
    const stranger = owner();
    const foreign = await stranger.add();
    const deleted = await add();
    await api("DELETE", `/composers?id=${deleted.id}`);
    const before = eventsOf(accountId).length;

    for (const id of ["shr_nothing", foreign.id, deleted.id]) {
      const { status, body } =
        method === "PATCH"
          ? await api("PATCH", "/composers", { id, fullName: "Mine" })
          : await api("DELETE", `/composers?id=${id}`);
      expect([status, body.messageCode]).toEqual([404, "composer_not_found"]);
    }
    expect(eventsOf(accountId).length).toBe(before);
    expect((await stranger.api("GET", `/composers/single?id=${foreign.id}`)).body.data.composer).toEqual(
      foreign,
    );
  },
);

test("events contain no e-mail addresses", async () => {
  const { api, add, link, accountId } = owner();
  const { id, email } = await add({ publisher: "Songs" });
  await link(id);
  await api("PATCH", "/composers", { id, email: "other@example.com" });

  const text = JSON.stringify(eventsOf(accountId));

  expect(text).not.toContain(email);
  expect(text).not.toContain("other@example.com");
});

test.each([
  ["GET", "/composers", "read:composers"],
  ["GET", "/composers/count", "read:composers"],
  ["GET", "/composers/single?id=x", "read:composer"],
  ["POST", "/composers", "create:composer"],
  ["PATCH", "/composers", "update:composer"],
  ["DELETE", "/composers?id=x", "delete:composer"],
])("%s %s needs a key with %s", async (method, path, scope) => {
  const { accountId } = app.createAccount();
  const all = ["read:composers", "read:composer", "create:composer", "update:composer", "delete:composer"];
  const key = app.createKey(
    accountId,
    all.filter((other) => other !== scope),
  );
  const body = method === "POST" || method === "PATCH" ? {} : undefined;

  const wrong = await app.as(key)(method, path, body);
  const none = await app.request(`/api/v1${path}`, { method });

  expect([wrong.status, wrong.body.messageCode]).toEqual([403, "insufficient_scope"]);
  expect(none.status).toBe(401);
});
