/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { MAX_MESSAGE } from "../../../modules/mail/outbox/shapes.ts";
import { account } from "../first-data.ts";
import { memory } from "../memory.ts";
import { Check, TextField } from "../ui/field.tsx";
import { Segments } from "../ui/segments.tsx";
import type { MailWish } from "./create.ts";

/** What a mail says beside the link, and when it goes out, as it is written in its fields. */
export type MailForm = { message: string; when: "now" | "open"; repliesToMe: boolean };

/** A mail begins without words. Where replies go stays as it was chosen last. */
export const useMailForm = (): Signal<MailForm> =>
  useSignal<MailForm>({ message: "", when: "now", repliesToMe: memory.get("replies-to-me") ?? false });

/** Returns the mail as the server takes it. @param opens When the link opens; empty: at once. */
export function mailOf({ message, when, repliesToMe }: MailForm, opens = ""): Required<MailWish> {
  memory.set("replies-to-me", repliesToMe);
  return { message: message.trim() || null, when: opens === "" ? "now" : when, replyTo: repliesToMe };
}

type Props = {
  form: Signal<MailForm>;
  /** True for links that open later. */
  opensLater?: boolean;
  error?: string | undefined;
  hint?: string;
};

/** The fields of a mail. */
export function MailFields({ form, opensLater = false, error, hint }: Props) {
  const set = (change: Partial<MailForm>) => {
    form.value = { ...form.peek(), ...change };
  };
  const { message, when, repliesToMe } = form.value;
  return (
    <div class="mail-fields">
      <TextField
        label="Message"
        {...(hint !== undefined && { hint })}
        maxLength={MAX_MESSAGE}
        error={error}
        value={message}
        onInput={({ currentTarget }) => set({ message: currentTarget.value })}
      />
      <Check isOn={repliesToMe} onChange={(isOn) => set({ repliesToMe: isOn })}>
        Replies go to {account.email}
      </Check>
      {opensLater && (
        <div class="mail-when">
          <span aria-hidden="true">The mail goes out</span>
          <Segments
            label="The mail goes out"
            options={[
              { value: "now", name: "Now" },
              { value: "open", name: "When it opens" },
            ]}
            current={when}
            onChange={(chosen) => set({ when: chosen })}
          />
        </div>
      )}
    </div>
  );
}
