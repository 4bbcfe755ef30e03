import { Type } from "@sinclair/typebox";
import { nullable } from "../../../http/envelope.ts";
import { MAX_EMAIL } from "../../library/composers/shapes.ts";

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

/** Words of whoever sends a mail. */
export const Message = nullable(
  Type.String({ maxLength: MAX_MESSAGE, description: "Words of yours in the mail; null or blank: none" }),
);
