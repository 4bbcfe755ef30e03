import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { transact } from "../../db/client.ts";
import type { LibraryId } from "../../db/schema.ts";
import { allowedTo } from "../../src/kernel/roles.ts";
import { DAY_MS, HOUR_MS } from "../../src/kernel/time.ts";
import { openSending, sendByHand } from "../../src/modules/mail/outbox/service.ts";
import { stopUrl } from "../../src/modules/mail/outbox/stops.ts";
import { createVisitor } from "../pages/visitor.ts";
import type { Json } from "../support/app.ts";
import { addTracks } from "../support/library.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
import { addressesOf, createMailApp, type MailApp } from "./mail-app.ts";

let receiver: MailReceiver;
let app: MailApp;
let operator: ReturnType<MailApp["signedIn"]>;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
  operator = app.signedIn(app.createAccount().token);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

const WORDS = { subject: "For you", lead: "For you.", parts: [], why: "Mara wrote to you." };

/** A library with a mail of a producer that waits: about a link to a track, to a playlist, or about a brief. */
type Scene = Awaited<ReturnType<typeof setUp>>;
type About = "track" | "playlist" | "brief";
let scenes = 0;

async function setUp(about: About) {
  const account = app.createAccount();
  const accountId = account.accountId as LibraryId;
  const owner = app.signedIn(account.token);
  const data = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, body: answer } = await owner(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const [trackId = ""] = addTracks(app, accountId, [{ title: "Night Drive" }]);
  const playlists = app.as(app.createKey(accountId));
  const made = await playlists("POST", "/playlists", { name: "Roughs", trackIds: [trackId] });
  const playlistId: string = made.body.data.playlist.id;
  const linked = about === "playlist" ? { playlistId } : { trackId };
  const share = await data("POST", "/app/shares", { ...linked, recipient: "Bo", maxUses: 2 });
  const deadline = new Date(app.clock.now() + 3 * DAY_MS).toISOString();
  const brief = await data("POST", "/app/briefs", { name: "Trailer", status: "open", deadline });
  const sender = addMember(app, accountId, { role: "producer" });
  const to = `bo${++scenes}@example.com`;
  if (about === "brief") {
    const asked = await app.signedIn(sender.token)("POST", `/app/briefs/${brief.id}/requests`, {
      email: to,
      mail: true,
    });
    if (asked.status !== 200) throw new Error(JSON.stringify(asked.body));
  } else await writeAbout(share.id);
  return {
    accountId,
    ownerEmail: account.email,
    writeAbout,
    data,
    trackId,
    playlistId,
    share,
    brief,
    sender,
    to,
  };

  async function writeAbout(shareId: string): Promise<void> {
    const { personId, memberId } = sender;
    const actor = {
      accountId,
      personId,
      memberId,
      sessionId: "ses",
      allowed: allowedTo("producer", false, false),
    };
    const sending = await openSending(app.deps, actor, { kind: "link", to: [to] });
    const mail = { kind: "link" as const, dedupe: `link ${shareId}`, shareId, to: { email: to, name: "Bo" } };
    transact(
      app.deps.db,
      (tx) => void sendByHand({ ...app.deps, db: tx }, sending, { ...mail, words: WORDS }),
    );
  }
}

/** What became of the one mail of a scene. */
function fateOf({ accountId }: Scene): Json {
  return app.deps.db.$client
    .query("SELECT state, answer, body IS NULL AS isForgotten FROM mails WHERE account_id = ?")
    .get(accountId);
}

const visit = async (url: string) => {
  await createVisitor(app, `203.0.113.${scenes}`).open(new URL(url).pathname);
};
const stop = ({ to }: Scene, accountId: string, form: string) =>
  app.request(new URL(stopUrl(app.deps, { email: to, accountId })).pathname, {
    method: "POST",
    body: form,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
const LINK = "The link has ended";
const LEFT = "Whoever wrote it has left the library";

describe("a mail that waits", () => {
  test.each<[string, About, (scene: Scene) => unknown]>([
    ["nothing has changed", "track", () => undefined],
    [
      "its track came back from the bin",
      "track",
      async ({ data, trackId }) => {
        await data("DELETE", `/app/tracks/${trackId}`);
        await data("POST", `/app/tracks/${trackId}/restore`);
      },
    ],
    ["its link has a visit left", "track", ({ share }) => visit(share.url)],
    [
      "the address stopped another library's mail",
      "track",
      (scene) => stop(scene, app.createAccount().accountId, "all=false"),
    ],
    [
      "its sender has a smaller role now",
      "track",
      ({ data, sender }) => data("PATCH", `/app/team/members/${sender.memberId}`, { role: "artist" }),
    ],
    [
      "another track of the playlist is in the bin",
      "playlist",
      async ({ accountId, data, playlistId }) => {
        const [other = ""] = addTracks(app, accountId, [{ title: "Other" }]);
        await data("POST", `/api/v1/playlists/${playlistId}/tracks`, { trackIds: [other] }).catch(
          () => undefined,
        );
        await data("DELETE", `/app/tracks/${other}`);
      },
    ],
    [
      "its brief is open until tomorrow",
      "brief",
      ({ data, brief }) =>
        data("PATCH", `/app/briefs/${brief.id}`, {
          deadline: new Date(app.clock.now() + DAY_MS).toISOString(),
        }),
    ],
  ])("goes when %s", async (_, about, change) => {
    const scene = await setUp(about);

    await change(scene);

    expect(addressesOf(await app.mails())).toEqual([scene.to]);
    expect(fateOf(scene)).toMatchObject({ state: "sent", isForgotten: 1 });
  });

  test.each<[string, About, (scene: Scene) => unknown, string]>([
    ["its link was revoked", "track", ({ data, share }) => data("DELETE", `/app/shares/${share.id}`), LINK],
    [
      "its link has ended",
      "track",
      async ({ data, share }) => {
        await data("PATCH", `/app/shares/${share.id}`, {
          expiresAt: new Date(app.clock.now() + HOUR_MS).toISOString(),
        });
        app.clock.advance(2 * HOUR_MS);
      },
      LINK,
    ],
    [
      "its link has no visit left",
      "track",
      async ({ share }) => {
        await visit(share.url);
        await visit(share.url);
      },
      LINK,
    ],
    [
      "its track is in the bin",
      "track",
      ({ data, trackId }) => data("DELETE", `/app/tracks/${trackId}`),
      LINK,
    ],
    [
      "its track was deleted for good",
      "track",
      async ({ data, trackId }) => {
        await data("DELETE", `/app/tracks/${trackId}`);
        await data("DELETE", `/app/bin/tracks/${trackId}`);
      },
      LINK,
    ],
    [
      "its playlist is in the bin",
      "playlist",
      ({ data, playlistId }) => data("DELETE", `/app/playlists/${playlistId}`),
      LINK,
    ],
    [
      "its playlist was deleted for good",
      "playlist",
      async ({ data, playlistId }) => {
        await data("DELETE", `/app/playlists/${playlistId}`);
        await data("DELETE", `/app/bin/playlists/${playlistId}`);
      },
      LINK,
    ],
    [
      "its brief was closed",
      "brief",
      ({ data, brief }) => data("PATCH", `/app/briefs/${brief.id}`, { status: "closed" }),
      "The brief is closed",
    ],
    ["its brief's deadline has passed", "brief", () => app.clock.advance(4 * DAY_MS), "The brief is closed"],
    [
      "its brief was deleted",
      "brief",
      ({ data, brief }) => data("DELETE", `/app/briefs/${brief.id}`),
      "The brief was deleted",
    ],
    [
      "its sender was removed",
      "track",
      ({ data, sender }) => data("DELETE", `/app/team/members/${sender.memberId}`),
      LEFT,
    ],
    [
      "its sender has left",
      "brief",
      ({ sender }) => app.signedIn(sender.token)("POST", "/app/team/leave"),
      LEFT,
    ],
    [
      "its sender's membership is over",
      "track",
      async ({ data, sender }) => {
        await data("PATCH", `/app/team/members/${sender.memberId}`, {
          until: new Date(app.clock.now() + HOUR_MS).toISOString(),
        });
        app.clock.advance(2 * HOUR_MS);
      },
      LEFT,
    ],
    [
      "the address stopped the library's mail",
      "track",
      (scene) => stop(scene, scene.accountId, "List-Unsubscribe=One-Click"),
      "Asked not to be written to",
    ],
    [
      "the address stopped all mail of the server",
      "brief",
      (scene) => stop(scene, app.createAccount().accountId, "all=true"),
      "Asked not to be written to",
    ],
  ])("is cancelled when %s", async (_, about, change, answer) => {
    const scene = await setUp(about);

    await change(scene);

    expect(addressesOf(await app.mails())).toEqual([]);
    expect(fateOf(scene)).toEqual({ state: "cancelled", answer, isForgotten: 1 });
  });

  test.each<[string, (scene: Scene) => Promise<Json>, (scene: Scene) => Promise<Json>]>([
    [
      "its library is disabled",
      ({ accountId }) => operator("PATCH", `/app/accounts/${accountId}`, { active: false }),
      ({ accountId }) => operator("PATCH", `/app/accounts/${accountId}`, { active: true }),
    ],
    [
      "its sender is blocked",
      ({ sender }) => operator("PATCH", `/app/people/${sender.personId}`, { active: false }),
      ({ sender }) => operator("PATCH", `/app/people/${sender.personId}`, { active: true }),
    ],
  ])("stays while %s, and goes afterwards", async (_, begin, end) => {
    const scene = await setUp("track");

    expect((await begin(scene)).status).toBe(200);
    const meanwhile = [addressesOf(await app.mails()), fateOf(scene).state];
    await end(scene);

    expect(meanwhile).toEqual([[], "waiting"]);
    expect(addressesOf(await app.mails())).toEqual([scene.to]);
  });

  test("goes with its library when that is deleted, and with it every answer about it", async () => {
    const scene = await setUp("track");

    const deleted = await operator("DELETE", `/app/accounts/${scene.accountId}`, { email: scene.ownerEmail });

    expect(deleted.status).toBe(200);
    expect(addressesOf(await app.mails())).toEqual([]);
    expect(fateOf(scene)).toBeNull();
  });
});

test("a mail that was cancelled with its track in the bin is written anew when the track is back", async () => {
  const scene = await setUp("track");
  await scene.data("DELETE", `/app/tracks/${scene.trackId}`);
  await app.mails();
  await scene.data("POST", `/app/tracks/${scene.trackId}/restore`);

  await scene.writeAbout(scene.share.id);

  expect(addressesOf(await app.mails())).toEqual([scene.to]);
});

test("a mail that the relay could not take for a month is cancelled", async () => {
  const scene = await setUp("track");
  app.clock.advance(31 * DAY_MS);

  expect(addressesOf(await app.mails())).toEqual([]);
  expect(fateOf(scene)).toMatchObject({ state: "cancelled", answer: "It was too late" });
});

test("the log names mails by their ids, and nobody by their address", async () => {
  const scene = await setUp("track");
  await app.mails();

  const log = JSON.stringify(app.logged);
  expect(log).toMatch(/"message":"Mail ended","fields":\{"mail":"mail_/);
  expect(log).not.toContain("@example.com");
  expect(fateOf(scene).state).toBe("sent");
});
