import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { MAX_EMAIL } from "../../people/people/shapes.ts";

/** Of the people to whom one deed may write. */
export const MAX_MAIL_RECIPIENTS = 50;
/** Characters of what the sender writes in a mail. */
export const MAX_MESSAGE = 2000;
/** Where anybody may found a library, one sends at most so many mails in a day, during its first days. */
export const MAILS_A_DAY_AT_FIRST = 20;
export const FIRST_DAYS = 7;

/** One address, without the name that mail programs write before it. */
export const RecipientEmail = Type.String({
  minLength: 3,
  maxLength: MAX_EMAIL,
  description: "One e-mail address, without a name",
});

/** How long the library sees what became of its mails. */
export const MAILS_KEPT_DAYS = 90;
/** How long a mail waits for a relay that is away, or for a disabled library: then it is no news. */
export const MAILS_WAIT_DAYS = 30;

export const MAIL_STATES = ["waiting", "ending", "sent", "refused", "unsure", "cancelled"] as const;

export const MailState = shape(
  "MailState",
  {
    id: Type.String({ description: "The mail" }),
    state: Type.Union(
      MAIL_STATES.map((state) => Type.Literal(state)),
      {
        description:
          "What has become of it. `waiting`: it goes out when it is due. `ending`: it is on its way. `sent`: the relay took it, which does " +
          "not prove that anybody read it. `refused`: the relay does not take it for that address. `unsure`: it may have arrived. " +
          "`cancelled`: it does not go out any more",
      },
    ),
    code: nullable(Type.Integer({ description: "Of the relay's last answer", examples: [550] })),
    answer: nullable(
      Type.String({
        description: "The relay's last answer, or why the mail was cancelled",
        examples: ["550 5.1.1 No such mailbox"],
      }),
    ),
    at: described(Timestamp, "When it ended; while it waits, when it goes out next"),
  },
  { description: "What has become of a mail" },
);
export type MailState = Static<typeof MailState>;
/** What whoever sends a mail chooses of it. */
export const mailFields = {
  message: Type.Optional(
    nullable(
      Type.String({ maxLength: MAX_MESSAGE, description: "Words of yours in the mail; null or blank: none" }),
    ),
  ),
  replyTo: Type.Optional(
    Type.Boolean({ description: "Answers to the mail go to your address; default false" }),
  ),
};
