import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { Json } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { join, tokenOf } from "../team/inviting.ts";
import { addressesOf, createMailApp, type MailApp } from "./mail-app.ts";

let receiver: MailReceiver;
let app: MailApp;
beforeAll(async () => {
  receiver = await receiveMails();
  app = await createMailApp(receiver);
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});

let owner: ReturnType<MailApp["createAccount"]>;
let call: ReturnType<MailApp["signedIn"]>;
beforeEach(() => {
  owner = app.createAccount();
  call = app.signedIn(owner.token);
});

const invite = (body: object, by = call) =>
  by("POST", "/app/team/invitations", { role: "producer", email: "ben@example.com", mail: true, ...body });
const listed = async (): Promise<Json[]> => (await call("GET", "/app/team/invitations")).body.data;

describe("an invitation into the library", () => {
  test("goes out by mail, with the link that joins, and nothing to stop", async () => {
    const { status, body } = await invite({ email: " Ben@Example.com " });
    const [mail, ...more] = await app.mails();

    expect([status, more]).toEqual([200, []]);
    const { url, mail: state, ...invitation } = body.data;
    expect(state).toMatchObject({ state: "waiting", code: null });
    const text = mail?.text ?? "";
    expect(text).toContain(`Join:\n${url}`);
    expect(text).toContain("Someone invites you to Someone, as producer.");
    expect(text).toContain("until 22 January 2026");
    expect(text).not.toContain("/mail/stop/");
    expect(mail?.headers.has("list")).toBe(false);
    expect(mail).toMatchObject({ subject: "Someone invites you to Someone" });
    expect(addressesOf(mail ? [mail] : [])).toEqual(["ben@example.com"]);
    expect(await listed()).toEqual([
      { ...invitation, mail: expect.objectContaining({ state: "sent", code: 250 }) },
    ]);
    const joined = await join(app, { token: tokenOf(url), name: "Ben", password: "long enough" });
    expect(joined.status).toBe(200);
  });

  test("is sent only when the member says so, and its state stands in the list", async () => {
    const { body } = await invite({ mail: false });
    await invite({ email: "nobody@example.com" });
    const mails = await app.mails();

    expect(body.data.mail).toBeNull();
    expect(mails).toEqual([]);
    expect((await listed()).map(({ email, mail }) => [email, mail?.state, mail?.code]).sort()).toEqual([
      ["ben@example.com", undefined, undefined],
      ["nobody@example.com", "refused", 550],
    ]);
  });

  test.each([
    ["withdrawn", (id: string) => call("DELETE", `/app/team/invitations/${id}`)],
    ["replaced", () => invite({ mail: false })],
    ["renewed without a mail", (id: string) => call("POST", `/app/team/invitations/${id}/renew`)],
  ])("does not go out any more when it was %s", async (_, end) => {
    const { id } = (await invite({})).body.data;
    app.clock.advance(1);
    expect((await end(id)).status).toBe(200);

    expect(await app.mails()).toEqual([]);
  });

  test("goes out once more with a new link, without the one that waits", async () => {
    const { id } = (await invite({})).body.data;
    app.clock.advance(1);
    const renewed = await call("POST", `/app/team/invitations/${id}/renew?mail=true`);
    const mails = await app.mails();

    expect(renewed.body.data.mail.state).toBe("waiting");
    expect(mails.map(({ text = "" }) => text.includes(renewed.body.data.url))).toEqual([true]);
  });

  test("needs somebody who may invite", async () => {
    const producer = addMember(app, owner.accountId, { role: "producer" });
    const refused = await invite({ email: "cy@example.com" }, app.signedIn(producer.token));

    expect([refused.status, refused.body.messageCode]).toEqual([403, "insufficient_scope"]);
    expect(await listed()).toEqual([]);
  });

  test("into a playlist names it", async () => {
    const key = app.as(app.createKey(owner.accountId));
    const track = addTrackRows(app.deps.db, owner.accountId, {
      name: "a.wav",
      title: "Night Ferry",
      measured: {},
    });
    const { id } = (await key("POST", "/playlists", { name: "EP", trackIds: [track.id] })).body.data.playlist;
    const added = await call("POST", `/app/playlists/${id}/cast`, {
      email: "ben@example.com",
      role: "listener",
      mail: true,
    });
    const [mail] = await app.mails();

    expect(added.body.data.invitation.mail.state).toBe("waiting");
    expect(mail).toMatchObject({ subject: "Someone invites you to “EP” in Someone" });
    const cast = await call("GET", `/app/playlists/${id}/cast`);
    expect(cast.body.data.invitations[0].mail).toMatchObject({ state: "sent" });
  });
});
