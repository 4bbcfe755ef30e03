import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { events } from "../../db/schema.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { sine, wavBytes } from "../support/signals.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Makes a new account with a track and two composers, the second with a publisher. */
async function track() {
  const { accountId } = app.createAccount();
  const api = app.as(app.createKey(accountId));
  const { id } = addTrackRows(app.deps.db, accountId);
  const add = async (fullName: string, publisher: string | null) => {
    const email = `${fullName.toLowerCase()}@example.com`;
    const { body } = await api("POST", "/composers", { fullName, email, publisher, pro: "P" });
    return body.data.id as string;
  };
  const [ada, bo] = [await add("Ada", null), await add("Bo", "Songs")];
  return {
    accountId,
    api,
    id,
    ada,
    bo,
    put: (...links: [shareholderId: string, share: number, role: string][]) =>
      api("PUT", `/tracks/shareholders?id=${id}`, {
        shareholders: links.map(([shareholderId, share, role]) => ({ shareholderId, share, role })),
      }),
    /** Returns the announced changes of links since the last call. */
    announced: () => {
      const found = app.deps.db
        .select({ type: events.type, data: events.data })
        .from(events)
        .where(eq(events.ownerId, accountId))
        .orderBy(asc(events.at), asc(events.id))
        .all()
        .filter(({ type }) => !type.startsWith("composer."));
      app.deps.db.delete(events).where(eq(events.ownerId, accountId)).run();
      return found;
    },
  };
}

describe("PUT /tracks/shareholders", () => {
  test("links composers in the order sent, and returns the track", async () => {
    const { api, id, ada, bo, put, announced, accountId } = await track();

    const { status, body } = await put([bo, 60, " Writer "], [ada, 39.5, "Producer"], [bo, 0.5, "Arranger"]);

    expect(status).toBe(200);
    const credits = [
      { share: 60, role: "Writer", shareholder: { id: bo, fullName: "Bo", pro: "P" } },
      { share: 39.5, role: "Producer", shareholder: { id: ada, fullName: "Ada", pro: "P" } },
      { share: 0.5, role: "Arranger", shareholder: { id: bo, fullName: "Bo", pro: "P" } },
    ];
    expect(body.data).toMatchObject({ id, userId: accountId, track: { id, shareholderTracks: credits } });
    expect((await api("GET", `/tracks/single?id=${id}`)).body).toEqual(body);
    const list = await api("GET", "/tracks?fields=shareholders");
    expect(list.body.data).toEqual([{ id, shareholders: credits }]);
    expect((await api("GET", "/tracks")).body.data[0]).not.toHaveProperty("shareholders");
    const linked = "shareholder.linked_to_track";
    expect(announced()).toEqual([
      { type: linked, data: { trackId: id, shareholderId: bo, share: 60, role: "Writer" } },
      { type: linked, data: { trackId: id, shareholderId: bo, share: 0.5, role: "Arranger" } },
      { type: linked, data: { trackId: id, shareholderId: ada, share: 39.5, role: "Producer" } },
      { type: "publisher.linked_to_track", data: { trackId: id, shareholderId: bo, publisher: "Songs" } },
    ]);
  });

  test("announces only what changed", async () => {
    const { id, ada, bo, put, announced } = await track();
    await put([ada, 50, "Writer"], [bo, 50, "Writer"]);
    announced();

    await put([bo, 40, "Writer"], [ada, 50, "Writer"]);

    expect(announced()).toEqual([
      {
        type: "shareholder.track_updated",
        data: { trackId: id, shareholderId: bo, share: 40, role: "Writer" },
      },
      { type: "publisher.track_updated", data: { trackId: id, shareholderId: bo, publisher: "Songs" } },
    ]);
    await put([bo, 40, "Writer"], [ada, 50, "Writer"]);
    expect(announced()).toEqual([]);
  });

  test("treats another role as an update of the link", async () => {
    const { id, ada, put, announced } = await track();
    await put([ada, 50, "Writer"]);
    announced();

    await put([ada, 50, "Producer"]);

    expect(announced()).toEqual([
      {
        type: "shareholder.track_updated",
        data: { trackId: id, shareholderId: ada, share: 50, role: "Producer" },
      },
    ]);
  });

  test("unlinks composers that are left out", async () => {
    const { api, id, ada, bo, put, announced } = await track();
    await put([ada, 20, "Writer"], [bo, 30, "Writer"]);
    announced();

    const { body } = await put();

    expect(body.data.track.shareholderTracks).toEqual([]);
    const unlinked = "shareholder.unlinked_from_track";
    expect(announced()).toEqual([
      { type: unlinked, data: { trackId: id, shareholderId: ada, share: 20, role: "Writer" } },
      { type: unlinked, data: { trackId: id, shareholderId: bo, share: 30, role: "Writer" } },
      {
        type: "publisher.unlinked_from_track",
        data: { trackId: id, shareholderId: bo, publisher: "Songs" },
      },
    ]);
    expect((await api("GET", "/tracks?fields=shareholders")).body.data).toEqual([{ id, shareholders: [] }]);
  });

  test("accepts shares that add up to 100 despite rounding", async () => {
    const { ada, put } = await track();

    const { status } = await put([ada, 33.34, "A"], [ada, 33.33, "B"], [ada, 33.33, "C"], [ada, 0, "D"]);

    expect(status).toBe(200);
  });

  test.each([
    ["a sum over 100", [{ share: 60 }, { share: 40.01, role: "B" }]],
    ["a share over 100", [{ share: 100.5 }]],
    ["a share below 0", [{ share: -1 }]],
    ["a share that is not a number", [{ share: "50" }]],
    ["an empty role", [{ role: "" }]],
    ["a blank role", [{ role: "  " }]],
    ["a role of 101 characters", [{ role: "x".repeat(101) }]],
    ["a composer twice in the same role", [{}, { role: " Writer" }]],
    ["no composer", [{ shareholderId: undefined }]],
    ["101 links", Array.from({ length: 101 }, (_, index) => ({ share: 0, role: `Role ${index}` }))],
    ["no list", undefined],
  ])("refuses %s and changes nothing", async (_, links) => {
    const { api, id, ada, put, announced } = await track();
    await put([ada, 10, "Writer"]);
    announced();
    const shareholders = links?.map((link) => ({ shareholderId: ada, share: 1, role: "Writer", ...link }));

    const { status, body } = await api("PUT", `/tracks/shareholders?id=${id}`, { shareholders });

    expect([status, body.messageCode]).toEqual([400, "validation_failed"]);
    expect(body.data.errors[0].path).toStartWith("shareholders");
    const { data } = (await api("GET", `/tracks/single?id=${id}`)).body;
    expect(data.track.shareholderTracks).toHaveLength(1);
    expect(announced()).toEqual([]);
  });

  test("refuses an unknown, deleted or other account's composer, and changes nothing", async () => {
    const { api, ada, bo, put, announced } = await track();
    const foreign = (await track()).ada;
    await api("DELETE", `/composers?id=${bo}`);
    announced();

    for (const stranger of ["shr_nothing", foreign, bo]) {
      const { status, body } = await put([ada, 10, "Writer"], [stranger, 10, "Writer"]);
      expect([status, body.messageCode, body.data.missing]).toEqual([404, "composer_not_found", [stranger]]);
    }
    expect(announced()).toEqual([]);
  });

  test("refuses an unknown track, another account's track and a missing id", async () => {
    const { api, ada } = await track();
    const foreign = await track();
    const sent = { shareholders: [{ shareholderId: ada, share: 10, role: "Writer" }] };

    for (const id of ["trk_nothing", foreign.id]) {
      const { status, body } = await api("PUT", `/tracks/shareholders?id=${id}`, sent);
      expect([status, body.messageCode]).toEqual([404, "track_not_found"]);
    }
    expect((await api("PUT", "/tracks/shareholders", sent)).status).toBe(400);
    expect(foreign.announced()).toEqual([]);
  });

  test("needs a key with update:tracks", async () => {
    const { accountId, id } = await track();
    const sent = { shareholders: [] };

    const wrong = await app.as(app.createKey(accountId, ["read:tracks", "update:composer"]))(
      "PUT",
      `/tracks/shareholders?id=${id}`,
      sent,
    );
    const none = await app.request(`/api/v1/tracks/shareholders?id=${id}`, { method: "PUT" });

    expect([wrong.status, wrong.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(none.status).toBe(401);
  });
});

describe("`shareholders` in an upload's audio profile", () => {
  /** Uploads one file with a profile. */
  async function upload(api: Awaited<ReturnType<typeof track>>["api"], shareholders: object[]) {
    const form = new FormData();
    form.append("files", new File([wavBytes([sine(8000, 1, 440)], 8000, 16)], "new.wav"));
    form.append("audioProfiles", JSON.stringify([{ name: "new.wav", audioProfile: { shareholders } }]));
    return await api("POST", "/tracks/upload", form);
  }

  test("links the composers of the new track and announces it", async () => {
    const { api, bo, announced } = await track();

    const { body } = await upload(api, [{ shareholderId: bo, share: 100, role: "Writer" }]);

    const { id } = body.data.uploaded[0];
    const single = await api("GET", `/tracks/single?id=${id}`);
    expect(single.body.data.track.shareholderTracks).toEqual([
      { share: 100, role: "Writer", shareholder: { id: bo, fullName: "Bo", pro: "P" } },
    ]);
    expect(announced().map(({ type }) => type)).toEqual([
      "shareholder.linked_to_track",
      "publisher.linked_to_track",
    ]);
  });

  test.each([
    ["a composer of another account", "FOREIGN", 50, 404, "composer_not_found"],
    ["more than 100 per cent", "OWN", 100.5, 400, "validation_failed"],
  ])("an upload with %s makes no track", async (_, whose, share, status, messageCode) => {
    const { api, ada, announced } = await track();
    const shareholderId = whose === "OWN" ? ada : (await track()).ada;

    const answer = await upload(api, [{ shareholderId, share, role: "Writer" }]);

    expect([answer.status, answer.body.messageCode]).toEqual([status, messageCode]);
    expect((await api("GET", "/tracks/count")).body.data).toEqual({ count: 1 });
    expect(announced()).toEqual([]);
  });
});
