import { op } from "../../../http/operation.ts";
import { MailServer, MailTest } from "./mail-shapes.ts";
import { getMailServer, requireOperator, testMail } from "./service.ts";

const tag = "Service";

/** Where mails go, for the operator. */
export const mailOperations = [
  op({
    at: "GET /mail/server",
    id: "getMailServer",
    session: "self",
    isSecret: true,
    tag,
    summary: "Get where mails go, and why they last did not",
    answer: MailServer,
    refusals: ["insufficient_scope", "mail_off"],
    run(deps, { actor }) {
      requireOperator(deps, actor.personId);
      return getMailServer(deps);
    },
  }),
  op({
    at: "POST /mail/test",
    id: "testMail",
    session: "self",
    isSecret: true,
    isLong: true,
    tag,
    summary: "Send a mail to yourself, and get what the relay says",
    description:
      "At once, whatever waits. The answer is 200 also when the relay refuses the mail: `ok` is false then.",
    answer: MailTest,
    refusals: ["insufficient_scope", "mail_off"],
    run(deps, { actor }) {
      requireOperator(deps, actor.personId);
      return testMail(deps, actor.personId);
    },
  }),
];
