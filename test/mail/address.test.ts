import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { addMember } from "../support/team.ts";
import { addressesOf, createMailApp, type MailApp } from "./mail-app.ts";

const HOUR_MS = 3_600_000;
const PASSWORD = "correct horse battery";
const OWN_PAGE = { origin: "https://music.example.com" };

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

const confirm = (token: string) =>
  app.request("/confirm-address", {
    method: "POST",
    body: new URLSearchParams({ token }),
    headers: OWN_PAGE,
  });

/** Returns the status of a sign-in by API. */
async function signIn(email: string, password = PASSWORD) {
  const body = JSON.stringify({ email, password });
  const headers = { "content-type": "application/json" };
  return (await app.request("/auth/login", { method: "POST", body, headers })).status;
}

/** Sends what is due, and returns it by address. */
async function mailsByAddress() {
  const mails = await app.mails();
  return new Map(mails.map((mail) => [addressesOf([mail])[0], mail]));
}

/** Somebody with a sign-in, who changes their address. */
function somebody(name: string) {
  const email = `${name}@label.example`;
  const { token } = app.createAccount(email);
  const call = app.signedIn(token);
  return {
    email,
    call,
    account: async () => (await call("GET", "/app/account")).body.data,
    move: (to: string, currentPassword = PASSWORD) =>
      call("PATCH", "/app/account", { email: to, currentPassword }),
  };
}

const tokenIn = (text: string | undefined) => /\/confirm-address\?token=([\w-]+)/.exec(text ?? "")?.[1] ?? "";

describe("a changed address", () => {
  test("counts once whoever reads its mail confirms it, and the old address is told", async () => {
    const { email, move, account } = somebody("mara");
    const to = "mara@new.example";

    const asked = await move(" Mara@New.example ");
    const mails = await mailsByAddress();
    const token = tokenIn(mails.get(to)?.text);
    const page = await app.request(`/confirm-address?token=${token}`);

    expect([asked.status, asked.body.data.email, asked.body.data.newEmail]).toEqual([200, email, to]);
    expect([...mails.keys()].toSorted()).toEqual([email, to].toSorted());
    expect(mails.get(email)?.text).toContain("m…@new.example");
    expect(mails.get(email)?.text).not.toContain(to);
    expect(mails.get(email)?.text).not.toContain(token);
    // Where another password is chosen, and other sessions are ended.
    expect(mails.get(email)?.text).toContain("/library/settings/security\n");
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(to)]);
    expect([await signIn(email), await signIn(to)]).toEqual([200, 401]); // opening changes nothing
    expect((await confirm(token)).status).toBe(200);
    expect(await account()).toMatchObject({ email: to, newEmail: null });
    expect([await signIn(email), await signIn(to)]).toEqual([401, 200]);
    expect((await confirm(token)).status).toBe(410);
  });

  test("that somebody else has is answered alike, and only its owner learns so, by mail", async () => {
    const { move, account } = somebody("ada");
    const taken = somebody("bo").email;

    const [free, other] = [await move("nobody.has@label.example"), await move(taken)];
    const mails = await mailsByAddress();

    expect(other.status).toBe(free.status);
    expect(other.body.data).toEqual({ ...free.body.data, newEmail: taken });
    expect(mails.get(taken)).toMatchObject({ subject: "This address has a sign-in already" });
    expect(tokenIn(mails.get(taken)?.text)).toBe("");
    expect(await account()).toMatchObject({ email: "ada@label.example" });
  });

  test("is taken back by the address of now, by another one, and by a new password", async () => {
    const { email, call, move, account } = somebody("cleo");
    const tokens: string[] = [];
    const ask = async (to: string) => {
      await move(to);
      tokens.push(tokenIn((await mailsByAddress()).get(to)?.text));
    };

    await ask("cleo@one.example");
    await call("PATCH", "/app/account", { email });
    expect(await account()).toMatchObject({ email, newEmail: null });
    await ask("cleo@two.example");
    await ask("cleo@three.example");
    expect(await account()).toMatchObject({ newEmail: "cleo@three.example" });
    const passwords = { currentPassword: PASSWORD, newPassword: "a new and better one" };
    expect((await call("POST", "/app/account/password", passwords)).status).toBe(200);

    expect(tokens.every((token) => token.length > 20)).toBe(true);
    for (const token of tokens) expect((await confirm(token)).status).toBe(410);
    expect(await account()).toMatchObject({ email, newEmail: null });
  });

  test("needs the password, and a link that is used within an hour, on the server's own page", async () => {
    const { email, move, account } = somebody("dora");
    const to = "dora@new.example";

    expect((await move(to, "not it at all")).status).toBe(400);
    expect((await mailsByAddress()).size).toBe(0);
    await move(to);
    const token = tokenIn((await mailsByAddress()).get(to)?.text);
    const foreign = await app.request("/confirm-address", {
      method: "POST",
      body: new URLSearchParams({ token }),
      headers: { origin: "https://elsewhere.example" },
    });
    expect(foreign.status).toBe(403);
    app.clock.advance(HOUR_MS);

    expect((await app.request(`/confirm-address?token=${token}`)).status).toBe(410);
    expect((await confirm(token)).status).toBe(410);
    expect(await account()).toMatchObject({ email, newEmail: null });
  });

  test("that somebody took in the meantime is refused, and nothing changes", async () => {
    const { email, move, account } = somebody("edda");
    const to = "edda@new.example";
    await move(to);
    const token = tokenIn((await mailsByAddress()).get(to)?.text);
    app.createAccount(to);

    expect((await confirm(token)).status).toBe(400);
    expect(await account()).toMatchObject({ email });
  });

  test.each([
    ["two addresses", "a@one.example,b"],
    ["a second header", "a@one.example\r\nBcc: b@two.example"],
    ["a control character", "a\u0007@one.example"],
    ["a name", "Ada<a@one.example>"],
  ])("cannot be %s", async (_, to) => {
    const { move, account } = somebody(`person.${_.length}`);

    expect((await move(to)).status).toBe(400);
    expect(await account()).toMatchObject({ newEmail: null });
    expect((await mailsByAddress()).size).toBe(0);
  });

  test("is forgotten with whoever wanted it", async () => {
    const { accountId } = app.createAccount();
    const { personId, token } = addMember(app, accountId, { role: "artist" });
    app.deps.db.$client.run(
      "UPDATE people SET password_hash = (SELECT password_hash FROM people LIMIT 1) WHERE id = ?",
      [personId],
    );
    const call = app.signedIn(token);
    const to = "wanted@new.example";
    expect((await call("PATCH", "/app/account", { email: to, currentPassword: PASSWORD })).status).toBe(200);
    const confirming = tokenIn((await mailsByAddress()).get(to)?.text);

    expect((await call("DELETE", "/app/account", { currentPassword: PASSWORD })).status).toBe(200);

    const rows = app.deps.db.$client.query("SELECT to_email FROM mails WHERE to_email IN (?, ?)");
    expect(rows.all(to, `${personId}@example.com`)).toEqual([]);
    expect((await confirm(confirming)).status).toBe(410);
  });

  test("gets three mails an hour at most, whoever asks for them", async () => {
    const [one, two] = [somebody("finn"), somebody("gil")];
    const to = "victim@else.example";

    const statuses = [];
    for (const { move } of [one, two, one, two]) statuses.push((await move(to)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
