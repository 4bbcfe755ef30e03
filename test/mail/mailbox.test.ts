import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { createOutbox } from "../support/outbox.ts";
import { readAlong } from "../support/running-command.ts";

const SCRIPT = join(import.meta.dir, "../../scripts/mailbox.ts");

const mailbox = Bun.spawn([process.execPath, SCRIPT, "--smtp", "0", "--http", "0"], {
  stdout: "pipe",
  stderr: "ignore",
});
afterAll(() => mailbox.kill());

test("the mailbox for development shows a mail as HTML, text and source, and to this machine alone", async () => {
  const told = readAlong(mailbox.stdout);
  const [, home] = await told.until(/at (http:\S+)\//);
  const [, port] = await told.until(/SMTP_URL=smtp:\/\/127\.0\.0\.1:(\d+)/);
  const outbox = createOutbox({ port: Number(port) });
  const logo = { type: "image/png", base64: Buffer.from("a picture").toString("base64") };
  outbox.write("anna@example.com", {
    content: {
      fromName: "Mara via Dubplate",
      replyTo: null,
      text: "Listen <here>",
      html: `<p>Listen</p><img src="cid:logo"><script>alert(1)</script>`,
      headers: {},
      logo,
    },
  });
  await outbox.send();

  const read = async (path: string, headers = {}) => {
    const response = await fetch(`${home}${path}`, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const [list, mail, html, source] = await Promise.all(
    ["/", "/mails/1", "/mails/1/html", "/mails/1/source"].map((path) => read(path)),
  );

  expect(list?.text).toContain(`<a href="/mails/1">Night Drive, for you</a>`);
  expect(mail?.text).toContain("Listen &lt;here>");
  expect(html?.text).toContain(`src="data:image/png;base64,${logo.base64}"`);
  expect(html?.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(html?.headers.get("content-security-policy")).toContain("sandbox");
  expect(source?.text).toContain("Subject: Night Drive, for you\r\n");
  expect((await read("/mails/2")).status).toBe(404);
  expect((await read("/", { host: "mail.attacker.example" })).status).toBe(403);
});
