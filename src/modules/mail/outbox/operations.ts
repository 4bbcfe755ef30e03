import { Type } from "@sinclair/typebox";
import { Paging } from "../../../http/envelope.ts";
import { op } from "../../../http/operation.ts";
import { cancelMail, listMails, listMarks, markAddress, sendAgain } from "./service.ts";
import { Mail, MailMark, MailParams, MailsQuery, MarkAddress } from "./shapes.ts";

const tag = "Shares";

/** What became of the mails that people of a library sent, and addresses at which none arrive. */
export const mailOperations = [
  op({
    at: "GET /mails",
    id: "listMails",
    session: "send:mail",
    input: { query: MailsQuery },
    tag,
    summary: "List the mails to people outside the library, newest first",
    description: "What they said is not kept. A mail is listed for 90 days after its end.",
    answer: Type.Array(Mail),
    siblings: { paging: Paging },
    refusals: [],
    run: (deps, { actor, query }) => listMails(deps, actor, query),
  }),
  op({
    at: "POST /mails/:id/cancel",
    id: "cancelMail",
    session: "send:mail",
    input: { params: MailParams },
    tag,
    summary: "Cancel a mail that waits",
    answer: Mail,
    refusals: ["mail_not_found", "invalid_transition"],
    run: (deps, { actor, params }) => cancelMail(deps, actor, params.id),
  }),
  op({
    at: "POST /mails/:id/again",
    id: "sendMailAgain",
    session: "send:mail",
    input: { params: MailParams },
    tag,
    summary: "Send a mail again that was refused or may have arrived",
    answer: Mail,
    refusals: ["mail_not_found", "invalid_transition", "mail_off", "mail_limit", "mail_stopped"],
    run: (deps, { actor, params }) => sendAgain(deps, actor, params.id),
  }),
  op({
    at: "GET /mail-marks",
    id: "listMailMarks",
    session: "send:mail",
    tag,
    summary: "List the addresses that the library has marked: no mail arrives there",
    description: "Who asked not to be written to is not listed: nobody but they can take that back.",
    answer: Type.Array(MailMark),
    refusals: [],
    run: (deps, { actor }) => listMarks(deps, actor.accountId),
  }),
  op({
    at: "PUT /mail-marks",
    id: "markMailAddress",
    session: "send:mail",
    input: { body: MarkAddress },
    tag,
    summary: "Mark an address at which no mail arrives, or take that back",
    answer: MarkAddress,
    refusals: [],
    run: (deps, { actor, body }) => markAddress(deps, actor, body),
  }),
];
