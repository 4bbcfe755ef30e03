import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accounts, type LibraryId } from "../../db/schema.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import type { MailSettings } from "../../src/kernel/settings.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../net/certificate.ts";
import { type MailReceiver, receiveMails } from "../support/mail-receiver.ts";
import { type Step, startOddRelay } from "../support/mail-relay.ts";
import { createOutbox, START } from "../support/outbox.ts";

const MINUTE_MS = 60_000;
const PAUSED = { state: "waiting", tries: 0, unsure: 0, dueAt: START + 5 * MINUTE_MS };
const LATER = { state: "waiting", tries: 1, unsure: 0, dueAt: START + MINUTE_MS };
const PERHAPS = { state: "waiting", tries: 0, unsure: 1, dueAt: START + MINUTE_MS };
const REFUSED = { state: "refused", tries: 0, unsure: 0, dueAt: null, body: null };

/** Not known to any authority, and for another name. */
const OWN_CERTIFICATE = { cert: CERTIFICATE, key: PRIVATE_KEY };
const IMPATIENT = { patience: { greetingMs: 150, answerMs: 400 }, lastMomentMs: 10 };

let receivers: Record<"plain" | "tls" | "starttls" | "signing", MailReceiver>;
beforeAll(async () => {
  const onAuth: Parameters<typeof receiveMails>[0] = {
    authOptional: false,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ password }, _, done) =>
      password === "right" ? done(null, { user: "label" }) : done(new Error("Invalid password")),
    allowInsecureAuth: true,
  };
  const [plain, tls, starttls, signing] = await Promise.all([
    receiveMails(),
    receiveMails({ secure: true, ...OWN_CERTIFICATE }),
    receiveMails({ ...OWN_CERTIFICATE, disabledCommands: ["AUTH"] }),
    receiveMails(onAuth),
  ]);
  receivers = { plain, tls, starttls, signing };
});
afterAll(() => Promise.all(Object.values(receivers).map((each) => each.close())));

describe("a relay that is set up wrongly keeps every mail waiting, and the operator reads why:", () => {
  test.each<[string, keyof typeof receivers, Partial<MailSettings>, string]>([
    [
      "a certificate that nobody knows",
      "tls",
      { isTls: true, needsTls: true },
      "cannot be encrypted: self signed",
    ],
    ["the same after STARTTLS", "starttls", { needsTls: true }, "cannot be encrypted: self signed"],
    ["no encryption where it is needed", "plain", { needsTls: true }, "cannot be encrypted: Error upgrading"],
    ["TLS at a port that begins without", "plain", { isTls: true }, "SMTP_URL begins with smtp://"],
    [
      "a wrong password",
      "signing",
      { user: "label", password: "wrong" },
      "refuses the user name or the password",
    ],
    [
      "a sign-in that is not offered",
      "plain",
      { user: "label", password: "right" },
      "it offers no sign-in here",
    ],
    ["no sign-in where it is needed", "signing", {}, "it answers 530"],
    ["a name without an address", "plain", { host: "relay.invalid" }, "its name has no address"],
  ])("%s", async (_, name, settings, words) => {
    const outbox = createOutbox({ ...receivers[name], ...settings });
    outbox.write("anna@example.com");
    outbox.write("bo@example.com");

    await outbox.send();

    expect([outbox.row("anna@example.com"), outbox.row("bo@example.com")]).toMatchObject([PAUSED, PAUSED]);
    expect(outbox.troubles).toEqual([expect.stringContaining(words)]);
    expect(outbox.logged.join()).not.toMatch(/example\.com|wrong|right/);
  });
});

test("a relay that signs its own certificate takes mails where encryption is not needed, and the password", async () => {
  const outbox = createOutbox(receivers.starttls);
  const signing = createOutbox({ ...receivers.signing, user: "label", password: "right" });
  for (const each of [outbox, signing]) {
    each.write("anna@example.com");
    await each.send();
    expect(each.row()).toMatchObject({ state: "sent", code: 250 });
  }
});

describe("a relay that", () => {
  test.each<[string, Record<string, Step>, object, string[]]>([
    ["refuses to be spoken to", { greeting: "554 Go away" }, PAUSED, ["it answers 554 Go away"]],
    ["is too busy", { greeting: "421 Too busy" }, PAUSED, ["it answers 421 Too busy"]],
    ["hangs up at once", { greeting: "hang up" }, PAUSED, ["it closes the connection"]],
    [
      "says nothing",
      { greeting: "silent" },
      PAUSED,
      [expect.stringContaining("SMTP_URL begins with smtps://")],
    ],
    [
      "is no relay",
      { greeting: "HTTP/1.1 400 Bad Request" },
      PAUSED,
      [expect.stringContaining("it does not answer")],
    ],
    ["refuses the sender", { MAIL: "550 5.7.1 Not yours" }, PAUSED, ["it answers 550 5.7.1 Not yours"]],
    [
      "forgot that we signed in",
      { RCPT: "530 5.7.0 Sign in first" },
      PAUSED,
      ["it answers 530 5.7.0 Sign in first"],
    ],
    ["closes at the recipient", { RCPT: "421 Closing" }, PAUSED, ["it answers 421 Closing"]],
    ["closes at the last byte", { end: "421 Closing" }, PAUSED, ["it answers 421 Closing"]],
    ["puts off the recipient", { RCPT: "450 4.2.0 Greylisted" }, { ...LATER, code: 450 }, []],
    ["puts off the mail", { end: "451 4.7.1 Look again" }, { ...LATER, code: 451 }, []],
    [
      "refuses the recipient",
      { RCPT: "550 5.1.1 Nobody" },
      { ...REFUSED, code: 550, answer: "550 5.1.1 Nobody" },
      [],
    ],
    ["refuses to take bytes", { DATA: "554 5.5.1 None" }, { ...REFUSED, code: 554 }, []],
    ["refuses the mail", { end: "552 5.3.4 Too large" }, { ...REFUSED, code: 552 }, []],
    ["hangs up at the recipient", { RCPT: "hang up" }, LATER, []],
    ["is silent at the recipient", { RCPT: "silent" }, LATER, []],
    ["hangs up before the bytes", { DATA: "hang up" }, LATER, []],
    ["hangs up when it has the bytes", { end: "hang up" }, PERHAPS, []],
    ["is silent when it has the bytes", { end: "silent" }, PERHAPS, []],
  ])("%s", async (_, steps, expected, troubles) => {
    const relay = await startOddRelay(steps);
    const outbox = createOutbox(relay, Object.values(steps).includes("silent") ? IMPATIENT : {});
    outbox.write("anna@example.com");

    await outbox.send();

    expect(outbox.row()).toMatchObject(expected);
    expect(outbox.troubles).toEqual(troubles);
    relay.close();
  });

  test("hangs up at one recipient takes the mails of the others meanwhile", async () => {
    const relay = await startOddRelay({ "RCPT bo@": "hang up" });
    const outbox = createOutbox(relay);
    for (const name of ["bo", "anna", "cleo", "dora"]) outbox.write(`${name}@example.com`);

    await outbox.send();

    expect(outbox.row("bo@example.com")).toMatchObject(LATER);
    expect(["anna", "cleo", "dora"].map((name) => outbox.row(`${name}@example.com`)?.state)).toEqual([
      "sent",
      "sent",
      "sent",
    ]);
    expect(outbox.troubles).toEqual([]);
    relay.close();
  });

  test("does not answer holds up nobody who stops the program, and is not blamed for it", async () => {
    const relay = await startOddRelay({ RCPT: "silent" });
    const outbox = createOutbox(relay, { lastMomentMs: 10 });
    outbox.write("anna@example.com");
    const sender = outbox.start();
    const began = performance.now();
    await sender.stop();

    expect(performance.now() - began).toBeLessThan(5000);
    expect(outbox.row()).toMatchObject({ state: "waiting", unsure: 0 });
    expect(outbox.troubles).toEqual([]);
    relay.close();
  });
});

describe("a mail", () => {
  test("does not leave when the disk cannot hold that it is about to", async () => {
    const relay = await startOddRelay({});
    const outbox = createOutbox(relay);
    outbox.write("anna@example.com");
    outbox.deps.db.$client.run(`CREATE TRIGGER full BEFORE UPDATE ON mails WHEN new.state = 'ending'
      BEGIN SELECT RAISE(ABORT, 'disk full'); END`);

    await outbox.send();

    expect(relay.taken()).toBe(0);
    expect(outbox.row()).toMatchObject(LATER);
    relay.close();
  });

  test("of a disabled library waits without work for anybody, and goes when it is enabled", async () => {
    const outbox = createOutbox(receivers.plain);
    const accountId = "usr_off" as LibraryId;
    const library = { id: accountId, name: "Off", createdAt: START, credits: 0 };
    outbox.deps.db
      .insert(accounts)
      .values({ ...library, active: false })
      .run();
    outbox.write("anna@example.com", { accountId });

    await outbox.send();
    expect(outbox.row()).toMatchObject({ state: "waiting", tries: 0 });
    outbox.deps.db.update(accounts).set({ active: true }).run();
    await outbox.send();

    expect(outbox.row()).toMatchObject({ state: "sent" });
  });

  test("that was sealed under another secret is refused, and the next one goes", async () => {
    const outbox = createOutbox(receivers.plain);
    outbox.write("anna@example.com");
    outbox.deps.secrets = secretsOf(Buffer.alloc(32, 8));
    outbox.write("bo@example.com");

    await outbox.send();

    expect(outbox.row("anna@example.com")).toMatchObject({
      ...REFUSED,
      answer: "What it says cannot be read any more",
    });
    expect(outbox.row("bo@example.com")).toMatchObject({ state: "sent" });
    expect(outbox.troubles).toEqual([]);
  });

  test("has each header on one line, which signatures of relays need", async () => {
    const outbox = createOutbox(receivers.plain);
    const href = `https://music.label.example/mail/stop/${"a".repeat(300)}`;
    outbox.write("anna@example.com", {
      content: {
        fromName: null,
        replyTo: null,
        text: "Listen",
        html: "<p>Listen</p>",
        headers: { "List-Unsubscribe": `<${href}>` },
        logo: null,
      },
    });

    await outbox.send();

    expect(receivers.plain.received.at(-1)?.source).toContain(`List-Unsubscribe: <${href}>\r\n`);
  });
});
