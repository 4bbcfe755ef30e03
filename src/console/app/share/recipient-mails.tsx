/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { MAX_EMAIL } from "../../../modules/people/people/shapes.ts";
import { wantedSentence } from "../api/field-words.ts";
import { Field } from "../ui/field.tsx";
import { isAddress, type Recipient } from "./recipients.ts";

/** Addresses that were typed, by the name that they stand beside; {@link TYPED} for the name that is still being typed. */
export type Emails = Signal<Readonly<Record<string, string>>>;

/** Of the person who is no chip yet. */
export const TYPED = "";

/** Somebody of the form, and under what their address is kept. */
export type Row = Recipient & { key: string };

type Props = {
  rows: readonly Row[];
  emails: Emails;
  /** Why somebody's link was not made, by their key. */
  refusals?: Readonly<Record<string, string>>;
  /** True: an address that is none says so. */
  isTried?: boolean;
  /** What is wrong with one of them. */
  error?: string | undefined;
};

/** An address for each person, to whom the link goes by mail. It may stay empty. */
export function RecipientMails({ rows, emails, refusals = {}, isTried = false, error }: Props) {
  if (rows.length === 0) return null;
  return (
    <div class="recipient-mails">
      {rows.map((row, at) => (
        // A name that is still typed stays in its row.
        <fieldset key={at} class="recipient-mail">
          <legend>{row.name}</legend>
          <Field
            label="E-mail"
            type="email"
            autocomplete="off"
            placeholder="name@example.com"
            isLabelHidden
            maxLength={MAX_EMAIL}
            value={row.email}
            error={
              refusals[row.key] ?? (isTried || error !== undefined ? emailProblem(row.email) : undefined)
            }
            onInput={({ currentTarget }) => {
              emails.value = { ...emails.peek(), [row.key]: currentTarget.value };
            }}
          />
        </fieldset>
      ))}
    </div>
  );
}

/** Returns what is wrong with an address that may be left empty. */
export const emailProblem = (email: string): string | undefined =>
  email.trim() === "" || isAddress(email) ? undefined : wantedSentence("recipientEmail");
