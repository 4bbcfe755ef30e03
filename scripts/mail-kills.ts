/**
 * Kills the sender of mails with SIGKILL again and again, while deeds write mails and a receiver refuses some, puts off others, and
 * takes a moment to say that it has one. Then checks that every deed has its mail, that each went out once or twice with the same
 * bytes or is unsure, and that nothing refused was sent.
 *
 * With --port, mails go to another server on this machine, which must refuse `nobody…@example.com`, put off `busy…` now and then, and
 * write the others to a Maildir that is read in the end.
 *
 * usage: bun scripts/mail-kills.ts [--mails 300] [--kills 60] [--port PORT --maildir FOLDER]
 * Exit 1 on any violation.
 */
import "./support/help.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openDb } from "../db/client.ts";
import { receiveMails } from "../test/support/mail-receiver.ts";
import { copiesIn } from "./mail-kills/maildir.ts";

const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    mails: { type: "string", default: "300" },
    kills: { type: "string", default: "60" },
    port: { type: "string" },
    maildir: { type: "string" },
  },
});
const [mails, kills] = [Number(values.mails), Number(values.kills)];
const ACK_DELAY_MS = 10;
const [LEAST_MS, SPREAD_MS] = [150, 300];

const folder = mkdtempSync(join(tmpdir(), "dubplate-mail-"));
const path = join(folder, "mail.db");
const own = values.port === undefined ? await receiveMails({}, { ackDelayMs: ACK_DELAY_MS }) : undefined;
const began = performance.now();
let killed = 0;
for (let isOver = false; !isOver; ) {
  const child = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "mail-kills/sender.ts"),
      path,
      String(own?.port ?? values.port),
      String(mails),
    ],
    { stderr: "inherit" },
  );
  if (killed < kills) {
    await Promise.race([child.exited, Bun.sleep(LEAST_MS + Math.random() * SPREAD_MS)]);
    if (child.exitCode === null) {
      child.kill("SIGKILL");
      killed++;
    }
  }
  isOver = (await child.exited) === 0;
}
await own?.close();
const copies = own?.copies ?? (await copiesIn(values.maildir ?? ""));

const db = openDb(path).$client;
const rows = db
  .query<{ id: string; dedupe: string; state: string; toEmail: string }, []>(
    "SELECT id, dedupe, state, to_email AS toEmail FROM mails",
  )
  .all();
const deeds = db.query<{ n: number }, []>("SELECT count(*) AS n FROM deeds").get()?.n ?? 0;
db.close();
rmSync(folder, { recursive: true });

const copiesOf = (id: string) => copies.get(`${id}@example.com`) ?? [];
const violations = [
  ...(deeds === mails && rows.length === mails ? [] : [`${deeds} deeds have ${rows.length} mails`]),
  ...rows.flatMap(({ id, state, toEmail }) => {
    const copies = copiesOf(id);
    const mustBeRefused = toEmail.startsWith("nobody");
    return [
      ...(copies.length > 2 ? [`${id} was sent ${copies.length} times`] : []),
      ...(state === "sent" && copies.length === 0 ? [`${id} is called sent and never came`] : []),
      ...(state === "waiting" || state === "ending" ? [`${id} is left ${state}`] : []),
      ...(new Set(copies).size > 1 ? [`The copies of ${id} differ`] : []),
      ...(mustBeRefused !== (state === "refused") ? [`${id} to ${toEmail} is ${state}`] : []),
      ...(mustBeRefused && copies.length > 0 ? [`${id} was refused and came`] : []),
    ];
  }),
  ...[...copies.keys()]
    .filter((id) => !rows.some((row) => `${row.id}@example.com` === id))
    .map((id) => `${id} is unknown`),
];
const counted = (state: string) => {
  const times = Map.groupBy(
    rows.filter((row) => row.state === state),
    ({ id }) => copiesOf(id).length,
  );
  return (
    [...times]
      .sort(([one], [other]) => one - other)
      .map(([count, same]) => `${same.length} came ${count} times`)
      .join(", ") || "none"
  );
};
console.log(
  `${mails} deeds, ${killed} kills, ${((performance.now() - began) / 1000).toFixed(1)} s. Sent: ${counted("sent")}; refused: ${counted("refused")}; unsure: ${counted("unsure")}`,
);
for (const violation of violations) console.error(violation);
console.log(violations.length === 0 ? "No violation." : `${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
