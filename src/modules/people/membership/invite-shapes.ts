import { type Static, Type } from "@sinclair/typebox";
import { described, nullable, shape } from "../../../http/envelope.ts";
import { MailState } from "../../mail/outbox/shapes.ts";
import { Invitation, Invite, MadeInvitation } from "../team/shapes.ts";

const mail = Type.Optional(
  described(
    nullable(MailState),
    "The mail with the link; null: none was sent. Left out where the server sends no mails",
  ),
);

export const SendsMail = Type.Optional(
  Type.Boolean({ description: "Send the link to their address by mail; needs `send:mail`" }),
);

export const InviteByMail = shape(
  "InviteMember",
  { ...Invite.properties, mail: SendsMail },
  { description: "Whom to invite, and as what" },
);
export type InviteByMail = Static<typeof InviteByMail>;

export const RenewQuery = Type.Object({ mail: SendsMail });
export type RenewQuery = Static<typeof RenewQuery>;

export const SentInvitation = shape(
  "MemberInvitation",
  { ...Invitation.properties, mail },
  {
    description:
      "An invitation that nobody has accepted. `expiresAt` null: it has no link yet, and needs a new one",
  },
);
export type SentInvitation = Static<typeof SentInvitation>;

export const MadeSentInvitation = shape(
  "MadeInvitation",
  { ...MadeInvitation.properties, mail },
  { description: "An invitation with its link, which works once, for its address" },
);
export type MadeSentInvitation = Static<typeof MadeSentInvitation>;
