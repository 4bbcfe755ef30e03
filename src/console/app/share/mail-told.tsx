/** @jsxRuntime automatic @jsxImportSource preact */
import type { MailState } from "../../../modules/mail/outbox/shapes.ts";
import { mailWords } from "./mail-words.ts";
import "./mail-told.css";

/** What became of a mail, in a word. */
export const MailWords = ({ mail }: { mail: MailState | null | undefined }) => (
  <span class={mail ? `mail-words mail-${mail.state}` : "soft"}>{mail ? mailWords(mail) : "None"}</span>
);
