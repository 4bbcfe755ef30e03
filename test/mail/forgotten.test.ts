import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Settings } from "../../src/kernel/settings.ts";
import { createTestApp, jsonOf } from "../support/app.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addGuest, addMember } from "../support/team.ts";
import { addTrackRows } from "../support/track-rows.ts";
import { addressesOf, createMailApp } from "./mail-app.ts";

const HOUR_MS = 3_600_000;

let receiver: MailReceiver;
beforeAll(async () => {
  receiver = await receiveMails();
});
afterAll(() => receiver.close());

/** A server that sends mails, with somebody who can sign in. */
async function createServer(settings: Partial<Settings> = {}) {
  const app = await createMailApp(receiver, settings);
  return {
    ...app,
    account: app.createAccount("mara@label.example"),
    post: (path: string, fields: Record<string, string>) =>
      app.request(path, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { origin: "https://music.example.com" },
      }),
    /** Asks over the API, each time as another client. */
    ask: (email: string) =>
      app.request("/auth/reset-request", {
        method: "POST",
        body: JSON.stringify({ email }),
        headers: { "content-type": "application/json" },
        peer: `2001:db8:${(peers++).toString(16)}::1`,
      }),
  };
}
let peers = 1;

const ON_ITS_WAY = "If this address has a sign-in here, a link is on its way.";
const NEW = { email: "mara@label.example", password: "a new and better password" };

describe("a forgotten password", () => {
  test("is chosen anew by a mail, with a link that works once", async () => {
    const server = await createServer();

    expect(await (await server.post("/forgot", { email: "Mara@Label.example " })).text()).toContain(
      ON_ITS_WAY,
    );
    const [mail, ...more] = await server.mails();
    const token = /\/reset\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    const changed = await server.post("/reset", { ...NEW, token });

    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      subject: "A new password for Dubplate",
      to: { value: [{ address: NEW.email }] },
    });
    expect(mail?.html).toContain(`/reset?token=${token}`);
    expect(mail?.headers.has("list-unsubscribe")).toBe(false);
    expect(changed.status).toBe(200);
    expect((await server.post("/signin", NEW)).status).toBe(303);
    expect((await server.post("/reset", { ...NEW, token })).status).toBe(410);
    await server.close();
  });

  test("of an unknown address is answered alike, and no mail leaves", async () => {
    const server = await createServer();
    const [known, unknown] = [
      await server.post("/forgot", { email: NEW.email }),
      await server.post("/forgot", { email: "nobody@label.example" }),
    ];

    expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()]);
    expect(addressesOf(await server.mails())).toEqual([NEW.email]);
    await server.close();
  });

  test("can be asked for three times an hour, whether the address is known or not", async () => {
    const server = await createServer();
    for (const email of [NEW.email, "nobody@label.example"]) {
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push((await server.post("/forgot", { email })).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
    server.clock.advance(HOUR_MS);
    expect((await server.post("/forgot", { email: NEW.email })).status).toBe(200);
    await server.close();
  });

  test("link ends after an hour", async () => {
    const server = await createServer();
    await server.post("/forgot", { email: NEW.email });
    const [mail] = await server.mails();
    const token = /\/reset\?token=([\w-]+)/.exec(mail?.text ?? "")?.[1] ?? "";
    server.clock.advance(HOUR_MS);

    expect((await server.request(`/reset?token=${token}`)).status).toBe(410);
    await server.close();
  });

  test("is asked for over the API too, with one answer for every address and the same limits", async () => {
    const server = await createServer();
    for (const email of [NEW.email, "nobody@label.example"]) {
      const answers = [];
      for (let n = 0; n < 4; n++) answers.push(await server.ask(n === 1 ? ` ${email.toUpperCase()}` : email));
      const bodies = await Promise.all(answers.slice(0, 3).map(jsonOf));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
      expect(bodies.map(({ data }) => data)).toEqual([{ ok: true }, { ok: true }, { ok: true }]);
      expect((await server.post("/forgot", { email })).status).toBe(429);
    }

    expect(addressesOf(await server.mails())).toEqual([NEW.email, NEW.email, NEW.email]);
    await server.close();
  });

  test("goes to whoever signs in with a password and is let in, in a team as alone", async () => {
    const server = await createServer();
    const { db } = server.deps;
    const { accountId } = server.createAccount("owner@team.example");
    const room = await server.as(server.createKey(accountId))("POST", "/playlists", {
      name: "Room",
      trackIds: [addTrackRows(db, accountId, {}).id],
    });
    const people = {
      artist: addMember(server, accountId, { role: "artist" }),
      guest: addGuest(server, accountId, { [room.body.data.playlist.id]: {} }),
      blocked: addMember(server, accountId, { role: "artist" }),
      former: addMember(server, accountId, { role: "artist" }),
      closed: addMember(server, server.createAccount("owner@closed.example").accountId, { role: "artist" }),
    };
    const idOf = (who: keyof typeof people) => people[who].personId;
    db.$client.run("UPDATE people SET active = 0 WHERE id = ?", [idOf("blocked")]);
    db.$client.run("DELETE FROM members WHERE person_id = ?", [idOf("former")]);
    db.$client.run(
      "UPDATE accounts SET active = 0 WHERE id = (SELECT account_id FROM members WHERE person_id = ?)",
      [idOf("closed")],
    );

    for (const who of ["artist", "guest", "blocked", "former", "closed"] as const)
      expect((await server.ask(`${idOf(who)}@example.com`)).status).toBe(200);
    await server.ask("owner@team.example");

    const wanted = [`${idOf("artist")}@example.com`, `${idOf("guest")}@example.com`, "owner@team.example"];
    expect(addressesOf(await server.mails()).toSorted()).toEqual(wanted.toSorted());
    await server.close();
  });

  test("is the operator's alone where nobody else signs in with one", async () => {
    const server = await createServer({ passwords: false, passkeys: true });
    server.createAccount("bo@label.example");
    for (const email of [NEW.email, "bo@label.example"]) await server.ask(email);

    expect(addressesOf(await server.mails())).toEqual([NEW.email]);
    expect(await (await server.request("/signin")).text()).toMatch(
      /<details>.*href="\/forgot".*<\/details>/s,
    );
    await server.close();
  });

  test("reaches an address that wants no other mail", async () => {
    const server = await createServer();
    server.deps.db.$client.run(
      "INSERT INTO mail_stops (email, account_id, at, source) VALUES (?, NULL, 0, 'link')",
      [NEW.email],
    );
    await server.ask(NEW.email);

    expect(addressesOf(await server.mails())).toEqual([NEW.email]);
    await server.close();
  });

  test("is asked for again where a link no longer works, and an address must be one", async () => {
    const server = await createServer();

    const used = await server.request("/reset?token=used");
    expect([used.status, await used.text()]).toEqual([410, expect.stringContaining('href="/forgot"')]);
    for (const email of ["", "mara", "a@b\r\nBcc: c@d", "x".repeat(300)]) {
      const page = await server.post("/forgot", { email });
      expect([page.status, await page.text()]).toEqual([
        400,
        expect.stringContaining("Please give an e-mail address"),
      ]);
      expect((await server.ask(email)).status).toBe(400);
    }
    expect(await server.mails()).toEqual([]);
    await server.close();
  });

  test("has no page where no mails are sent", async () => {
    const app = await createTestApp();
    app.createAccount("mara@label.example");
    const asked = await app.request("/auth/reset-request", {
      method: "POST",
      body: JSON.stringify({ email: NEW.email }),
      headers: { "content-type": "application/json" },
    });
    expect([asked.status, (await jsonOf(asked)).messageCode]).toEqual([409, "mail_off"]);

    expect((await app.request("/forgot")).status).toBe(404);
    expect(await (await app.request("/signin")).text()).not.toContain("/forgot");
    await app.close();
  });
});
