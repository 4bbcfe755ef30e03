import { describe, expect, test } from "bun:test";
import { simpleParser } from "mailparser";
import { openTransport } from "../../src/modules/mail/outbox/sending/transport.ts";
import { writeLetters } from "../support/letters.ts";

const RELAY = {
  host: "127.0.0.1",
  port: 1,
  isTls: false,
  needsTls: false,
  user: undefined,
  password: undefined,
};
const transport = await openTransport({
  ...RELAY,
  from: { name: "Dubplate", address: "music@label.example" },
  perDay: 1,
});
const letters = await writeLetters();

const linksOf = (html: string) =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

describe.each(letters)("the mail $name", ({ kind, subject, content }) => {
  const { html, text, headers } = content;

  test("brings everything along: no address but its links", () => {
    expect(html.replaceAll(/ href="[^"]*"/g, "")).not.toMatch(/https?:|url\(|<script|<form|<link|@import/i);
    expect([...html.matchAll(/ src="([^"]*)"/g)].map(([, src]) => src)).toEqual(
      content.logo ? ["cid:logo"] : [],
    );
  });

  test("says the same links as text", () => {
    expect(linksOf(html).length).toBeGreaterThan(0);
    for (const href of linksOf(html)) expect(text).toContain(href);
  });

  test("can be stopped when it is not about a sign-in or a place in a library", () => {
    const mayStop = !["invitation", "address", "address-told", "password", "test"].includes(kind);

    expect([headers["List-Unsubscribe"] !== undefined, text.includes("/mail/stop/")]).toEqual([
      mayStop,
      mayStop,
    ]);
    expect(headers["List-Unsubscribe-Post"]).toBe(mayStop ? "List-Unsubscribe=One-Click" : undefined);
  });

  test("says of itself whether a person sent it", () => {
    const isByHand = ["link", "pack", "reminder", "brief", "invitation", "supply"].includes(kind);

    expect(headers["Auto-Submitted"]).toBe(isByHand ? undefined : "auto-generated");
  });

  test("is one mail of at most 100 kB that another program reads as it was written", async () => {
    const to = { email: "anna@example.com", name: "Anna Berg" };
    const bytes = await transport.build({ id: "mail_1", to, subject, at: 0, content });
    const read = await simpleParser(Buffer.from(bytes));
    const source = Buffer.from(bytes).toString("latin1");

    expect(bytes.length).toBeLessThan(100_000);
    expect(Math.max(...source.split(/\r?\n/).map(({ length }) => length))).toBeLessThanOrEqual(998);
    expect(read).toMatchObject({
      subject,
      from: { value: [{ address: "music@label.example" }] },
      to: { value: [to.name ? { address: to.email, name: to.name } : {}] },
    });
    expect(read.text?.trim()).toBe(text.trim());
    expect(read.html).toContain(html.slice(0, 100));
  });
});

test("names with marks, line breaks and other scripts stay words: no header, no element", async () => {
  const odd = `Łukasz "DJ" <b>\u202Ené</b>, 夜\r\nBcc: eve@attacker.example`;
  const names = { library: odd, by: odd, title: odd, message: odd };
  for (const { subject, content } of await writeLetters(names)) {
    const to = { email: "anna@example.com", name: odd };
    const bytes = await transport.build({ id: "mail_1", to, subject, at: 0, content });
    const read = await simpleParser(Buffer.from(bytes));

    expect([...read.headers.keys()]).not.toContain("bcc");
    expect(read.to).toMatchObject({ value: [{ address: "anna@example.com" }] });
    expect(read.from?.value.map(({ address }) => address)).toEqual(["music@label.example"]);
    expect(content.html).not.toContain("<b>\u202E");
  }
});
