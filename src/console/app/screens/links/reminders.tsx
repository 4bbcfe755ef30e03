/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { MAX_MAIL_RECIPIENTS } from "../../../../modules/mail/outbox/shapes.ts";
import { trackTitle } from "../../../shared/names.ts";
import { api, dataOf } from "../../api/client.ts";
import { sentenceOf } from "../../api/errors.ts";
import { changed, query, useQuery } from "../../api/queries.ts";
import type { Data } from "../../api/routes.ts";
import { href } from "../../first-data.ts";
import { memory } from "../../memory.ts";
import { MailFields, mailOf, useMailForm } from "../../share/mail-fields.tsx";
import { previewMail } from "../../share/mail-preview.tsx";
import { peopleWords } from "../../share/mail-words.ts";
import { readMails } from "../../share/mails.tsx";
import { Button } from "../../ui/button.tsx";
import { ago } from "../../ui/dates.ts";
import { Check, Refusal, SelectField } from "../../ui/field.tsx";
import { toast } from "../../ui/toast.tsx";

/** A link that went out by mail and was not opened. */
type Unopened = Data<"GET /app/links/unopened">[number];

const FOLDED = "reminders-folded";

/** After so many days somebody can be written to again. */
const DAYS = ["3", "7", "14", "30", "60"] as const;
type Days = (typeof DAYS)[number];
const USUAL: Days = "7";
const CHOSEN = "reminder-days";

/** Who has not opened their link, and a second mail to them, which is their last one. Without anybody, nothing. */
export function Reminders() {
  const days = useSignal<Days>(DAYS.find((each) => each === memory.get(CHOSEN)) ?? USUAL);
  const asked = { query: { days: Number(days.value) } };
  const { data } = useQuery(query("/app/links/unopened", asked, { shares: "all", activity: "all" }));
  const links = data?.data ?? [];
  if (links.length === 0 && days.value === USUAL) return null;
  return (
    <ReminderCard links={links}>
      <SelectField
        label="Sent at least"
        value={days.value}
        options={DAYS.map((value) => ({ value, name: `${value} days ago` }))}
        onChange={(value) => {
          days.value = value;
          memory.set(CHOSEN, value);
        }}
      />
    </ReminderCard>
  );
}

type CardProps = { links: readonly Unopened[]; children: ComponentChildren };

function ReminderCard({ links, children }: CardProps) {
  return (
    <details
      class="reminders"
      open={!memory.get(FOLDED)}
      onToggle={({ currentTarget }) => memory.set(FOLDED, !currentTarget.open)}
    >
      <summary>
        <h2>{sentenceOfAll(links)}</h2>
      </summary>
      <div class="reminders-body">
        {children}
        {links.length > 0 && <ReminderForm links={links} />}
      </div>
    </details>
  );
}

function sentenceOfAll(links: readonly Unopened[]): string {
  const count = countOf(links);
  if (count === 0) return "Everybody has opened their link";
  return `${peopleWords(count)} ${count === 1 ? "has" : "have"} not opened their link`;
}

function ReminderForm({ links }: { links: readonly Unopened[] }) {
  const leftOut = useSignal<ReadonlySet<string>>(new Set());
  const mail = useMailForm();
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const chosen = links.filter(({ id }) => !leftOut.value.has(id)).slice(0, MAX_MAIL_RECIPIENTS);
  const draft = () => {
    const { message, replyTo } = mailOf(mail.peek());
    return { shareIds: chosen.map(({ id }) => id), message, replyTo };
  };
  const send = async () => {
    if (isBusy.peek()) return;
    isBusy.value = true;
    problem.value = undefined;
    try {
      await dataOf(api.POST("/app/shares/remind", { body: draft() }));
      changed("shares", null);
      readMails();
      toast(`On its way to ${peopleOf(chosen)}`);
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      <Ticks links={links} leftOut={leftOut} />
      <MailFields form={mail} hint="Each of them gets one reminder, and no more." />
      <Refusal sentence={problem.value} />
      <div class="buttons">
        <Button aria-disabled={chosen.length === 0 || isBusy.value} run={() => chosen.length > 0 && send()}>
          Write again to {peopleOf(chosen)}
        </Button>
        <Button
          look="quiet"
          aria-disabled={chosen.length === 0}
          run={() => chosen.length > 0 && previewMail({ kind: "reminder", ...draft() })}
        >
          Preview
        </Button>
      </div>
    </>
  );
}

/** One person may have several links. */
const countOf = (links: readonly Unopened[]): number =>
  new Set(links.map(({ recipientEmail }) => recipientEmail)).size;
const peopleOf = (links: readonly Unopened[]): string => peopleWords(countOf(links));

type TicksProps = { links: readonly Unopened[]; leftOut: Signal<ReadonlySet<string>> };

function Ticks({ links, leftOut }: TicksProps) {
  const turn = (id: string, isIn: boolean) => {
    const next = new Set(leftOut.peek());
    if (isIn) next.delete(id);
    else next.add(id);
    leftOut.value = next;
  };
  return (
    <ul class="reminder-people" aria-label="Not opened">
      {links.map(({ id, recipient, recipientEmail, name, sentAt }) => (
        <li key={id}>
          <Check isOn={!leftOut.value.has(id)} onChange={(isOn) => turn(id, isOn)}>
            {recipient ?? recipientEmail}
          </Check>
          <span class="soft">
            <a href={href(`/library/links/${id}`)}>{name && trackTitle({ title: null, name })}</a>, sent{" "}
            {ago(sentAt)}
          </span>
        </li>
      ))}
    </ul>
  );
}
