/** The program that is killed: writes deeds with their mails, and sends. usage: bun sender.ts DATABASE PORT MAILS */
import { openDb, transact } from "../../db/client.ts";
import { secretsOf } from "../../src/kernel/secrets.ts";
import { writeMail } from "../../src/modules/mail/outbox/outbox.ts";
import { startMailSender } from "../../src/modules/mail/outbox/sending/sender.ts";

const [path = "", port = "", mails = ""] = process.argv.slice(2);
/** Retries are waited for in days. */
const FASTER = 10_000;

const db = openDb(path);
db.$client.run("CREATE TABLE IF NOT EXISTS deeds (n INTEGER PRIMARY KEY) STRICT");
const began = Date.now();
const now = () => began + (Date.now() - began) * FASTER;
const deps = { db, now, log: () => undefined, secrets: secretsOf(Buffer.alloc(32, 7)) };
const sender = startMailSender(deps, {
  host: "127.0.0.1",
  port: Number(port),
  isTls: false,
  needsTls: false,
  user: undefined,
  password: undefined,
  from: { name: "Label", address: "music@example.com" },
  perDay: 1,
});

const nameOf = (n: number) => (n % 10 === 7 ? `busy${n}` : n % 10 === 9 ? `nobody${n}` : `ana${n}`);
const done = db.$client.query<{ n: number }, []>("SELECT coalesce(max(n), 0) AS n FROM deeds").get()?.n ?? 0;
for (let n = done + 1; n <= Number(mails); n++) {
  transact(db, (tx) => {
    tx.$client.run("INSERT INTO deeds VALUES (?)", [n]);
    writeMail(
      { ...deps, db: tx },
      {
        accountId: null,
        kind: "test",
        dedupe: `deed ${n}`,
        to: { email: `${nameOf(n)}@example.com`, name: null },
        subject: `Deed ${n}`,
        content: {
          fromName: null,
          replyTo: null,
          text: "Done",
          html: "<p>Done</p>",
          headers: {},
          logo: null,
        },
      },
    );
  });
  await Bun.sleep(1);
}
const isLeft = () =>
  db.$client.query("SELECT 1 FROM mails WHERE state IN ('waiting', 'ending') LIMIT 1").get() !== null;
while (isLeft()) await Bun.sleep(5);
await sender.stop();
process.exit(0);
