import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";

/** Payload of `GET /app/mail/server`. */
export const MailServer = shape(
  "MailServer",
  {
    server: Type.String({ description: "Host and port of the relay", examples: ["smtp.example.com:465"] }),
    sender: Type.String({
      description: "Whom mails are from",
      examples: ["Night Label <music@label.example>"],
    }),
    perDay: Type.Integer({ minimum: 1, description: "How many mails each library sends in 24 hours" }),
    waiting: Type.Integer({ minimum: 0, description: "Mails that wait, of all libraries" }),
    lastRefusal: described(
      nullable(
        Type.Object({
          at: Timestamp,
          words: Type.String({
            description: "What the relay said, in words",
            examples: ["smtp.example.com:465: it refuses the user name or the password"],
          }),
        }),
      ),
      "When the relay itself last took no mails; null: never, or long ago",
    ),
  },
  { description: "Where mails go" },
);
export type MailServer = Static<typeof MailServer>;

/** Payload of `POST /app/mail/test`. */
export const MailTest = shape(
  "MailTest",
  {
    ok: Type.Boolean({ description: "Whether the relay took the mail" }),
    words: Type.String({
      description: "What the relay said, in words",
      examples: ["smtp.example.com:465 took the mail: 250 2.0.0 Ok: queued"],
    }),
    email: Type.String({ description: "Where the mail went: your address" }),
  },
  { description: "What became of a test mail" },
);
export type MailTest = Static<typeof MailTest>;
