import { DomainError } from "../../../kernel/errors.ts";
import type { MailSettings, Settings } from "../../../kernel/settings.ts";

/** Returns the relay that takes the mails. @throws DomainError `mail_off` where there is none. */
export function requireMail({ mail }: Pick<Settings, "mail">): MailSettings {
  if (mail) return mail;
  throw new DomainError("mail_off", "This server sends no mails");
}
