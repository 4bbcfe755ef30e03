import { type Static, Type } from "@sinclair/typebox";
import { shape } from "../../../http/envelope.ts";
import { MAX_MAIL_RECIPIENTS, mailFields, RecipientEmail } from "../../mail/outbox/shapes.ts";
import { CreateShare, MAX_RECIPIENT, ShareMail } from "../../sharing/shares/shapes.ts";
import { MAX_SONGS, SendPack } from "./pack-shapes.ts";

const { trackId, playlistId, password, expiresAt, notBefore, allowReview, askAnswer } =
  CreateShare.properties;
const KINDS = ["link", "pack", "brief", "reminder"] as const;

export const PreviewMail = shape(
  "PreviewMail",
  {
    kind: Type.Union(
      KINDS.map((kind) => Type.Literal(kind)),
      {
        description:
          "`link`: brings a link to `trackId` or `playlistId`. `pack`: one to a playlist of `trackIds`, called `name`. `brief`: asks for " +
          "music for `briefId`. `reminder`: of the links `shareIds`",
      },
    ),
    ...{ trackId, playlistId, password, expiresAt, notBefore, allowReview, askAnswer },
    name: Type.Optional(SendPack.properties.name),
    trackIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: MAX_SONGS, description: "What a pack holds, in order" }),
    ),
    expiresInDays: Type.Optional(SendPack.properties.expiresInDays),
    briefId: Type.Optional(Type.String({ description: "The brief that somebody is asked for" })),
    shareIds: Type.Optional(
      Type.Array(Type.String(), { maxItems: MAX_MAIL_RECIPIENTS, description: "The links of a reminder" }),
    ),
    recipients: Type.Optional(
      Type.Array(
        Type.Object({
          recipient: Type.Optional(
            Type.String({ maxLength: MAX_RECIPIENT, description: "What they are called" }),
          ),
          recipientEmail: RecipientEmail,
        }),
        { maxItems: MAX_MAIL_RECIPIENTS, description: "Who would get it; those of a reminder are known" },
      ),
    ),
    ...mailFields,
    when: ShareMail.properties.when,
  },
  { description: "A mail to look at before it is sent" },
);
export type PreviewMail = Static<typeof PreviewMail>;
