import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import type { LibraryId, PersonId } from "../../db/schema.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/kernel/time.ts";
import { recordActivity } from "../../src/modules/library/analytics/service.ts";
import { startDigests } from "../../src/modules/outward/digests/service.ts";
import { writeDigests } from "../../src/modules/outward/digests/write.ts";
import { notify } from "../../src/modules/people/notifications/service.ts";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { addressesOf, createMailApp, type MailApp } from "./mail-app.ts";

const DAY_MS = 24 * HOUR_MS;
const EVERYTHING = ["submissions", "answers", "notes", "listens"];

let receiver: MailReceiver;
let app: MailApp;
let label: Awaited<ReturnType<typeof createLabel>>;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  app.deps.db.$client.run("DELETE FROM mail_wishes"); // of other tests
  label = await createLabel();
});

/** A library with a track in a room and one outside, and somebody of each kind who wants to hear of everything, hourly. */
async function createLabel() {
  const { accountId, email, token } = app.createAccount();
  const owner = app.signedIn(token);
  const { db } = app.deps;
  const track = addTrackRows(db, accountId, { title: "Night Drive", measured: {} }).id;
  const other = addTrackRows(db, accountId, { title: "Halo", measured: {} }).id;
  const made = await app.as(app.createKey(accountId))("POST", "/playlists", {
    name: "Room",
    trackIds: [track],
  });
  const room = made.body.data.playlist.id;
  const people = {
    producer: addMember(app, accountId, { role: "producer" }),
    artist: addMember(app, accountId, { role: "artist", listening: true }),
    listener: addMember(app, accountId, { role: "listener" }),
    guest: addGuest(app, accountId, { [room]: { role: "artist", listening: true } }),
  };
  const emails = new Map([[email, "owner"]]);
  for (const [who, { personId }] of Object.entries(people)) emails.set(`${personId}@example.com`, who);
  return {
    accountId: accountId as LibraryId,
    ownerId: accountId as PersonId,
    email,
    owner,
    track,
    other,
    people,
    emails,
  };
}

const wish = (call: Label["owner"], change: object = { every: "hourly", kinds: EVERYTHING }) =>
  call("PATCH", "/app/mail-wishes", change);
type Label = typeof label;

async function everyoneWishes() {
  await wish(label.owner);
  for (const { token } of Object.values(label.people)) await wish(app.signedIn(token));
}

type Kind = "brief.submission" | "share.answered" | "track.comment";

/** What sharing and briefs tell a library. */
function tell(kind: Kind, title: string, more: Partial<Parameters<typeof notify>[1]> = {}): void {
  const isBrief = kind === "brief.submission";
  const about = {
    entityKey: isBrief ? "brief" : "track",
    entityId: isBrief ? "brf_1" : label.track,
  } as const;
  const { accountId } = label;
  transact(app.deps.db, (tx) => notify(tx, { accountId, kind, title, ...about, ...more }, app.deps.now()));
}

/** A visitor comments on a track, or somebody of the library does what others are told of in this way. */
const say = (title: string, entityId = label.track, madeBy: PersonId | null = null) =>
  tell("track.comment", `A comment on ${title}`, { entityId, madeBy });

/** Somebody plays a track by a link that is for them. */
async function listen(recipient: string) {
  const { body } = await label.owner("POST", "/app/shares", { trackId: label.track, recipient });
  transact(app.deps.db, (tx) =>
    recordActivity(
      tx,
      {
        ...{ ownerId: label.accountId, entity: "track", entityId: label.track, metric: "plays" },
        ...{ actor: { type: "visitor", name: null }, shareId: body.data.id, visit: "one", heardSec: 60 },
      },
      app.deps.now(),
    ),
  );
}

/** Lets an hour pass, and returns what each is written, by who they are. */
async function written(ms = HOUR_MS): Promise<Json> {
  app.clock.advance(ms);
  await writeDigests(app.deps);
  const isAny = app.deps.db.$client.query("SELECT 1 FROM mails WHERE state = 'waiting'").get() !== null;
  const mails = isAny ? await app.mails() : [];
  return Object.fromEntries(mails.map((mail) => [label.emails.get(addressesOf([mail])[0] ?? ""), mail]));
}

/** The lines of a digest's list. */
const lines = (mail: Json): string[] => mail.text.match(/^- .*/gm) ?? [];

describe("a digest", () => {
  test("says once what others did, where it is, and how to hear less of it", async () => {
    await wish(label.owner);
    app.clock.advance(MINUTE_MS);
    say("Night Drive", label.track, label.people.producer.personId);
    say("Halo", label.other, label.ownerId);

    const { owner } = await written();
    const again = await written();

    expect(owner.subject).toBe("One thing happened in Someone");
    expect(lines(owner)).toEqual(["- A comment on Night Drive"]);
    const library = `in=${label.accountId}`;
    expect(owner.text).toContain(`https://music.example.com/library/tracks/${label.track}?${library}`);
    expect(owner.text).toContain(`https://music.example.com/library/settings/mail?${library}`);
    expect(owner.headers.get("list-unsubscribe-post") ?? owner.headers.get("list")).toBeDefined();
    expect(owner.html).not.toMatch(/src="http/);
    expect(again).toEqual({});
  });

  test("tells each what their role shows them, and nobody anything else", async () => {
    await everyoneWishes();
    app.clock.advance(MINUTE_MS);
    tell("brief.submission", "Jo sent 2 songs");
    tell("share.answered", "Bo is interested in Night Drive");
    say("Night Drive");
    say("Halo", label.other);
    await listen("Cleo");

    const mails = await written();
    const about = (who: string) =>
      lines(mails[who])
        .map((line) => /Jo|Bo|Night|Halo|Cleo/.exec(line)?.[0])
        .toSorted();

    expect(Object.keys(mails).toSorted()).toEqual(["artist", "guest", "listener", "owner", "producer"]);
    expect(about("owner")).toEqual(["Bo", "Cleo", "Halo", "Jo", "Night"]);
    expect(about("producer")).toEqual(["Bo", "Halo", "Jo", "Night"]);
    expect(about("artist")).toEqual(["Cleo", "Halo", "Night"]);
    expect(about("listener")).toEqual(["Halo", "Night"]);
    expect(about("guest")).toEqual(["Night"]);
  });

  test("has only the kinds that somebody chose, and not what they have read", async () => {
    await wish(label.owner, { every: "hourly", kinds: ["notes", "answers"] });
    app.clock.advance(MINUTE_MS);
    tell("brief.submission", "Jo sent 2 songs");
    tell("share.answered", "Bo is interested in Night Drive");
    expect(lines((await written()).owner)).toEqual(["- Bo is interested in Night Drive"]);

    tell("share.answered", "Cleo passes");
    await label.owner("POST", "/app/notifications/read");
    expect(await written()).toEqual({});
  });

  test("comes at 06:00 UTC each day, or on Mondays, and not when nothing happened", async () => {
    const { producer, artist } = label.people;
    await wish(app.signedIn(producer.token), { every: "daily" });
    await wish(app.signedIn(artist.token), { every: "weekly" });
    const came: string[] = [];
    const monday = Date.UTC(2026, 0, 12, 6);
    for (let hour = 0; hour < 8 * 24; hour++) {
      if (hour < 48) say("Night Drive");
      const since = (app.deps.now() + HOUR_MS - monday) % (7 * DAY_MS);
      for (const who of Object.keys(await written()))
        came.push(`${who} ${Math.floor(since / DAY_MS)} ${Math.floor((since % DAY_MS) / HOUR_MS)}`);
    }

    expect(came.filter((each) => each.startsWith("producer")).map((each) => each.split(" ")[2])).toEqual([
      "0",
      "0",
      "0",
    ]);
    expect(came.filter((each) => each.startsWith("artist"))).toEqual(["artist 0 0"]);
  });

  test("is written by the server when it starts, if one is due", async () => {
    await wish(app.signedIn(label.people.producer.token));
    app.clock.advance(MINUTE_MS);
    say("Night Drive");
    app.clock.advance(HOUR_MS);

    await startDigests(app.deps).stop();

    expect(addressesOf(await app.mails())).toEqual([`${label.people.producer.personId}@example.com`]);
  });

  test("names at most twenty things, and how many more there are", async () => {
    await wish(app.signedIn(label.people.producer.token));
    app.clock.advance(MINUTE_MS);
    for (let n = 0; n < 23; n++) say(`Halo ${n}`, label.other);

    const { producer } = await written();

    expect(producer.subject).toBe("23 things happened in Someone");
    expect(lines(producer).length).toBe(20);
    expect(producer.text).toContain("And 3 more.");
  });

  test("shows titles as words, whatever they hold", async () => {
    await wish(label.owner);
    app.clock.advance(MINUTE_MS);
    tell("brief.submission", "<img src=https://spy.example/x> sent a song");
    await label.owner("PATCH", "/app/library", { name: "A <b>\u0007Label" });

    const { owner } = await written();

    expect(owner.html).not.toContain("<img src=https");
    expect(owner.subject).toBe("One thing happened in A <b> Label");
  });

  test.each<[string, (who: Label["people"]["producer"]) => unknown]>([
    ["left the library", ({ memberId }) => label.owner("DELETE", `/app/team/members/${memberId}`, {})],
    [
      "was blocked",
      ({ personId }) => app.deps.db.$client.run("UPDATE people SET active = 0 WHERE id = ?", [personId]),
    ],
    ["switched digests off", ({ token }) => wish(app.signedIn(token), { every: "off" })],
  ])("that waits does not go to somebody who %s, nor is another written", async (_, end) => {
    const { producer } = label.people;
    await wish(app.signedIn(producer.token));
    app.clock.advance(MINUTE_MS);
    say("Night Drive");
    app.clock.advance(HOUR_MS);
    await writeDigests(app.deps);

    await end(producer);

    expect(addressesOf(await app.mails())).toEqual([]);
    say("Night Drive");
    expect(await written()).toEqual({});
  });

  test("is not written while one waits, and says everything later", async () => {
    await wish(app.signedIn(label.people.producer.token));
    app.clock.advance(MINUTE_MS);
    say("Night Drive");
    app.clock.advance(HOUR_MS);
    await writeDigests(app.deps); // the relay is away
    say("Night Drive");
    app.clock.advance(HOUR_MS);
    await writeDigests(app.deps);

    expect((await app.mails()).map(({ subject }) => subject)).toEqual(["One thing happened in Someone"]);
    expect(lines((await written()).producer).length).toBe(1);
  });

  test("ends with one press on its foot, for that library alone", async () => {
    const { email, owner } = label;
    await wish(owner);
    app.clock.advance(MINUTE_MS);
    tell("brief.submission", "Jo sent 2 songs");
    const stop = /\/mail\/stop\/[\w-]+/.exec((await written()).owner.text)?.[0] ?? "";

    expect(
      (
        await app.request(stop, {
          method: "POST",
          body: "List-Unsubscribe=One-Click",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        })
      ).status,
    ).toBe(200);
    tell("brief.submission", "Jo sent 3 songs");

    expect(await written()).toEqual({});
    expect((await owner("GET", "/app/mail-wishes")).body.data).toMatchObject({ email, isStopped: true });

    await app.request(stop, { method: "POST", body: new URLSearchParams({ again: "true" }) });
    expect((await owner("GET", "/app/mail-wishes")).body.data).toMatchObject({
      every: "hourly",
      isStopped: false,
    });
  });
});
