import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Role } from "../../db/schema.ts";
import { createListener } from "../desk/listener.ts";
import { createTestApp, type Json, type TestApp } from "../support/app.ts";
import { addMember, joinToo } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const run = (sql: string, ...values: (string | number)[]) => app.deps.db.$client.run(sql, values);

/** A label, and a way to listen to it. */
function createLabel() {
  const owner = app.createAccount();
  const join = (role: Role, switches = {}) => addMember(app, owner.accountId, { role, ...switches });
  const trackId = addTrackRows(app.deps.db, owner.accountId, {}).id;
  return { ...owner, join, trackId, web: app.signedIn(owner.token) };
}

const listen = async (token: string, query = "") => {
  const live = createListener(
    app.request(`/app/events${query}`, { headers: { authorization: `Bearer ${token}` } }),
  );
  expect((await live.next()).event).toBe("ready");
  return live;
};

const upload = (token: string) =>
  app.request("/app/uploads", {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "tus-resumable": "1.0.0",
      "upload-length": "1000",
      "upload-metadata": `filename ${btoa("Night Bus.wav")}`,
    },
  });

describe("the stream of a member ends", () => {
  test.each([
    ["they are removed", "DELETE FROM members WHERE id = ?"],
    ["they get a smaller role", "UPDATE members SET role = 'listener' WHERE id = ?"],
    ["they no longer see splits", "UPDATE members SET sees_splits = 0 WHERE id = ?"],
    [
      "they are blocked",
      "UPDATE people SET active = 0 WHERE id = (SELECT person_id FROM members WHERE id = ?)",
    ],
  ])("within 250 ms when %s, and no other's", async (_, sql) => {
    const { join, token, trackId, web } = createLabel();
    const ben = join("producer", { splits: true });
    const [live, mine] = [await listen(ben.token), await listen(token)];

    const begun = performance.now();
    run(sql, ben.memberId);
    await live.ended();

    // A look every 250 ms, and the time of a test beside others.
    expect(performance.now() - begun).toBeLessThan(1000);
    await web("PATCH", `/app/library/tracks/details?id=${trackId}`, { title: "Goes on" });
    expect((await mine.until(({ data }) => data.topic === "tracks")).data.ids).toEqual([trackId]);
    mine.close();
  });

  test("with a last word to who is removed: their other library, or that there is none", async () => {
    const { join } = createLabel();
    const [ben, cleo] = [join("producer"), join("listener")];
    const studio = app.createAccount();
    joinToo(app, studio.accountId, cleo.personId, { role: "listener" });
    const [his, hers] = [await listen(ben.token), await listen(cleo.token)];

    for (const { memberId } of [ben, cleo]) run("DELETE FROM members WHERE id = ?", memberId);

    expect((await his.until(({ event }) => event === "left")).data).toEqual({ other: null });
    const { other } = (await hers.until(({ event }) => event === "left")).data;
    expect(other).toEqual({ id: studio.accountId, name: expect.any(String) });
    await Promise.all([his.ended(), hers.ended()]);
  });

  test("when the membership reaches its end, without anything being written", async () => {
    const { join } = createLabel();
    const ben = join("artist");
    run("UPDATE members SET ends_at = ? WHERE id = ?", app.clock.now() + 60_000, ben.memberId);
    const live = await listen(ben.token);

    app.clock.advance(60_000);

    await live.ended();
  });

  test("and comes back with the new role", async () => {
    const { join, web, trackId } = createLabel();
    const ben = join("producer");
    const live = await listen(ben.token);
    run("UPDATE members SET role = 'listener' WHERE id = ?", ben.memberId);
    await live.ended();

    const again = await listen(ben.token);
    await web("POST", "/app/shares", { trackId });
    await web("POST", `/app/tracks/${trackId}/comments`, { text: "Louder" });

    const heard = new Set<string>();
    while (!heard.has("comments")) heard.add((await again.next()).data.topic);
    expect(heard.has("shares")).toBe(false);
    again.close();
  });
});

/** What changes in the label, and the roles that hear of it. */
const TOPICS: readonly [topic: string, act: (label: ReturnType<typeof createLabel>) => Promise<unknown>, Role[]][] = [
  ["shares", ({ web, trackId }) => web("POST", "/app/shares", { trackId }), ["manager", "producer"]],
  ["activity", ({ web, trackId }) => web("POST", "/app/shares", { trackId }), ["manager"]],
  ["composers", ({ web }) => web("POST", "/app/library/composers", { fullName: "Ada Writer", email: "ada@example.com", pro: "PRS" }), ["manager"]],
  [
    "submissions",
    async ({ web, trackId }) => {
      const brief = await web("POST", "/app/briefs", { name: "Songs" });
      await web("POST", "/app/submissions", { briefId: brief.body.data.id, trackId });
    },
    ["manager", "producer"],
  ],
  [
    "comments",
    ({ web, trackId }) => web("POST", `/app/tracks/${trackId}/comments`, { text: "Oh" }),
    ["manager", "producer", "artist", "listener"],
  ],
  [
    "tracks",
    ({ web, trackId }) => web("PATCH", `/app/library/tracks/details?id=${trackId}`, { title: "Other" }),
    ["manager", "producer", "artist", "listener"],
  ],
  [
    "team",
    async ({ join }) => join("artist"),
    ["manager", "producer", "artist", "listener"],
  ],
]; // biome-ignore format: a table

test.each(TOPICS)("of %s only those hear whose role can read them", async (topic, act, expected) => {
  const label = createLabel();
  const roles = ["manager", "producer", "artist", "listener"] as const;
  const members = roles.map((role) => ({ role, web: app.signedIn(label.join(role).token) }));
  const { seq } = (await label.web("GET", "/app/changes")).body.data;

  await act(label);

  const hearing = async ({ web }: { web: typeof label.web }) =>
    (await web("GET", `/app/changes?after=${seq}`)).body.data.changes.some(
      (each: Json) => each.topic === topic,
    );
  const heard: Role[] = [];
  for (const member of members) if (await hearing(member)) heard.push(member.role);
  expect(heard).toEqual(expected);
});

test("a switch opens what it shows: splits and who listened", async () => {
  const label = createLabel();
  const lawyer = app.signedIn(label.join("listener", { splits: true, listening: true }).token);
  const { seq } = (await lawyer("GET", "/app/changes")).body.data;

  await label.web("POST", "/app/library/composers", {
    fullName: "Ada Writer",
    email: "ada@example.com",
    pro: "PRS",
  });
  await label.web("POST", "/app/shares", { trackId: label.trackId });

  const { changes } = (await lawyer("GET", `/app/changes?after=${seq}`)).body.data;
  const topics = changes.map(({ topic }: Json) => topic);
  expect([topics.includes("composers"), topics.includes("activity"), topics.includes("shares")]).toEqual([
    true,
    true,
    false,
  ]);
});

test("of files on their way everybody hears of their own", async () => {
  const label = createLabel();
  const [ben, lena] = [label.join("artist"), label.join("listener")];
  const after = (await label.web("GET", "/app/changes")).body.data.seq;

  const [mine, bens] = [await upload(label.token), await upload(ben.token)];

  const heardBy = async (token: string) => {
    const { changes } = (await app.signedIn(token)("GET", `/app/changes?after=${after}`)).body.data;
    return changes.find(({ topic }: Json) => topic === "uploads")?.ids ?? [];
  };
  const idOf = ({ headers }: Response) => headers.get("location")?.split("/").at(-1);
  expect(await heardBy(label.token)).toEqual([idOf(mine)]);
  expect(await heardBy(ben.token)).toEqual([idOf(bens)]);
  expect(await heardBy(lena.token)).toEqual([]);
});

test("one session listens to two libraries at once, each by its address, and to nothing of the other", async () => {
  const [label, studio] = [createLabel(), createLabel()];
  joinToo(app, studio.accountId, label.accountId, { role: "listener" });
  const [here, there] = [
    await listen(label.token, `?in=${label.accountId}`),
    await listen(label.token, `?in=${studio.accountId}`),
  ];

  await studio.web("PATCH", `/app/library/tracks/details?id=${studio.trackId}`, { title: "There" });
  await label.web("PATCH", `/app/library/tracks/details?id=${label.trackId}`, { title: "Here" });

  const tracks = ({ data }: { data: Json }) => data.topic === "tracks";
  expect((await there.until(tracks)).data.ids).toEqual([studio.trackId]);
  expect((await here.until(tracks)).data.ids).toEqual([label.trackId]);
  here.close();
  there.close();
});
