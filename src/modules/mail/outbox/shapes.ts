import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape, Timestamp } from "../../../http/envelope.ts";
import { pageFields } from "../../../http/page-query.ts";
import { MAX_EMAIL, MadeBy } from "../../people/people/shapes.ts";

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

const LISTED_KINDS = [
  "brief",
  "link",
  "pack",
  "reminder",
  "submitted",
  "answered",
  "invitation",
  "supply",
] as const;
const State = MailState.properties.state;

export const MailParams = Type.Object({ id: Type.String() });

export const MailsQuery = Type.Object({
  ...pageFields,
  state: Type.Optional(State),
  shareId: Type.Optional(Type.String({ description: "Only mails about this link" })),
  requestId: Type.Optional(Type.String({ description: "Only mails about this request for music" })),
});
export type MailsQuery = Static<typeof MailsQuery>;

/** A mail to somebody outside the library, without what it says. */
export const Mail = shape(
  "Mail",
  {
    id: Type.String(),
    kind: Type.Union(
      LISTED_KINDS.map((kind) => Type.Literal(kind)),
      {
        description:
          "`brief`: asks for music. `link`, `pack`: bring a link. `reminder`: of a link that nobody has opened. `submitted`: music has " +
          "arrived. `answered`: notes are answered. `invitation`: to the library, seen by those who invite. " +
          "`supply`: asks a composer for their details",
      },
    ),
    state: State,
    toEmail: Type.String({ description: "Where it goes", examples: ["jonas@studio.example"] }),
    toName: nullable(Type.String({ description: "Whom it is for", examples: ["Jonas"] })),
    subject: Type.String({ description: "Its first line", examples: ["Mara Lind sent you “Night Bus”"] }),
    shareId: nullable(Type.String({ description: "The link that it is about" })),
    requestId: nullable(Type.String({ description: "The request for music that it is about" })),
    code: MailState.properties.code,
    answer: MailState.properties.answer,
    createdAt: Timestamp,
    dueAt: nullable(described(Timestamp, "When it goes out next; null: not any more")),
    endedAt: nullable(described(Timestamp, "When it was over")),
    madeBy: MadeBy,
    stopped: Type.Union([Type.Literal("recipient"), Type.Literal("library"), Type.Null()], {
      description:
        "Why no more mails go to this address. `recipient`: who has it asked for that. `library`: marked, since none arrive there",
    }),
    mayGoAgain: Type.Boolean({ description: "It was refused or may have arrived, and can be sent again" }),
  },
  { description: "A mail to somebody outside the library, and what became of it" },
);
export type Mail = Static<typeof Mail>;

export const MarkAddress = shape(
  "MarkAddress",
  {
    email: RecipientEmail,
    doesNotArrive: Type.Boolean({ description: "True: no mails of the library go there any more" }),
  },
  { description: "Whether mails arrive at an address" },
);
export type MarkAddress = Static<typeof MarkAddress>;

export const MailMark = shape(
  "MailMark",
  { email: Type.String(), markedAt: described(Timestamp, "When it was marked") },
  { description: "An address at which no mails arrive" },
);
export type MailMark = Static<typeof MailMark>;

export const MailPreview = shape(
  "MailPreview",
  {
    from: Type.String({
      description: "Who it is from",
      examples: ["Mara Lind via Dubplate <music@studio.example>"],
    }),
    replyTo: nullable(
      Type.String({
        description: "Where answers go; null: to who it is from",
        examples: ["mara@studio.example"],
      }),
    ),
    subject: Mail.properties.subject,
    recipients: Type.Array(
      Type.Object({
        name: nullable(Type.String({ description: "What they are called", examples: ["Jonas"] })),
        email: Type.String({ description: "Their address", examples: ["jonas@studio.example"] }),
        takesMail: Type.Boolean({
          description: "False: they asked not to be written to, or no mail arrives there",
        }),
      }),
      { description: "Who gets it, each their own" },
    ),
    html: Type.String({
      description: "As programs show it that read HTML, in light or dark",
      examples: ["<!doctype html>…"],
    }),
    text: Type.String({ description: "As others show it", examples: ["Mara Lind sent you “Night Bus”."] }),
  },
  { description: "A mail as it would go out; its links are made when it is sent" },
);
export type MailPreview = Static<typeof MailPreview>;
