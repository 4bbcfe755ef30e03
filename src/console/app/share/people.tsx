/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import { canSendMail } from "../api/library.ts";
import { ChosenWords } from "../ui/chosen-words.tsx";
import { type Contact, optionsOf, useContacts } from "./contacts.ts";
import { type Emails, RecipientMails, type Row, TYPED } from "./recipient-mails.tsx";
import { isAddress, readRecipient } from "./recipients.ts";

/** The people of a form: names that were chosen, the one that is still typed, and their addresses. */
export type People = {
  names: Signal<readonly string[]>;
  typed: Signal<string>;
  emails: Emails;
  contacts: readonly Contact[];
  /** Everybody who gets a link. */
  rows: readonly Row[];
};

/** @param wanted Those with whom the form begins. */
export function usePeople(wanted: readonly string[]): People {
  const names = useSignal(wanted);
  const typed = useSignal("");
  const emails: Emails = useSignal({});
  const contacts = useContacts();
  // What was typed beside a name that is no longer typed is nobody's.
  useSignalEffect(() => {
    if (typed.value.trim() === "" && emails.peek()[TYPED] !== undefined) drop(emails, TYPED);
  });
  const rowOf = (key: string, written: string): Row => {
    const { name, email } = canSendMail() ? readRecipient(written) : { name: written, email: "" };
    const known = email || contacts.find((each) => each.name === name)?.email;
    return { key, name, email: emails.value[key] ?? known ?? "" };
  };
  const last = typed.value.trim();
  const isNew = last !== "" && !names.value.includes(last);
  const rows = [...names.value.map((name) => rowOf(name, name)), ...(isNew ? [rowOf(TYPED, last)] : [])];
  return { names, typed, emails, contacts, rows };
}

function drop(emails: Emails, key: string): void {
  const { [key]: _, ...rest } = emails.peek();
  emails.value = rest;
}

/** Makes a chip of what was typed, with the address that was written beside it. */
function take({ names, typed, emails }: People, written: string): void {
  const { name, email } = canSendMail() ? readRecipient(written) : { name: written.trim(), email: "" };
  const beside = emails.peek()[TYPED] ?? email;
  if (beside !== "" && !isAddress(name)) emails.value = { ...emails.peek(), [name]: beside };
  if (!names.peek().includes(name)) names.value = [...names.peek(), name];
  typed.value = "";
}

type FieldProps = {
  people: People;
  error: string | undefined;
  /** Why somebody's link was not made, by the key of their row. */
  refusals: Readonly<Record<string, string>>;
  isTried: boolean;
};

/** The recipients, by name and address, each with their own link. Without any, one link for everyone. */
export function PeopleFields({ people, error, refusals, isTried }: FieldProps) {
  const { names, typed, emails, contacts, rows } = people;
  const others = contacts.filter(({ name }) => !names.value.includes(name));
  return (
    <div class="share-people">
      <ChosenWords
        label="For whom"
        autofocus
        placeholder={names.value.length > 0 ? "Add someone" : "Anyone with the link"}
        text={typed}
        chosen={names}
        error={error}
        options={optionsOf(others, typed.value)}
        wordOf={({ text }) => text}
        onEnter={(written) => take(people, written)}
      />
      <p class="field-hint">
        {rows.length > 1
          ? `${rows.length} links, one for each person.`
          : "Each person gets their own link, so you can see who listened."}
      </p>
      {canSendMail() && <RecipientMails rows={rows} emails={emails} refusals={refusals} isTried={isTried} />}
    </div>
  );
}
