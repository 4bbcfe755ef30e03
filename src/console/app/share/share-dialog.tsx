/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_PLAYLIST_NAME } from "../../../modules/library/playlists/shapes.ts";
import { wantedSentence } from "../api/field-words.ts";
import { memory } from "../memory.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Refusal } from "../ui/field.tsx";
import { AlongChoice, useAlong } from "./along.tsx";
import { type Made, type Shared, type ShareOptions, toBody } from "./create.ts";
import { MadeLinks } from "./made-links.tsx";
import { MailFields, type MailForm, mailOf, useMailForm } from "./mail-fields.tsx";
import { type MailDraft, previewMail, recipientsOf } from "./mail-preview.tsx";
import { sendTo } from "./mail-words.ts";
import { type Result, useMaking } from "./making.ts";
import { PeopleFields, usePeople } from "./people.tsx";
import { emailProblem, type Row } from "./recipient-mails.tsx";
import { PLAIN, problemsOf, SettingFields, type SettingProblems, type Settings } from "./settings.tsx";
import "./share.css";

type DialogProps = ShareOptions & { things: readonly Shared[]; onClose: () => void };

/** Makes links: one for each person who is named, or one for everybody. */
export function ShareDialog({ things, asksForApproval = false, people = [], onClose }: DialogProps) {
  const made = useSignal<Result | null>(null);
  const [first] = things;
  const name = things.length === 1 && first ? first.title : `${things.length} tracks`;
  return (
    <Dialog label={`Share ${name}`} kind="share" onClose={onClose}>
      {made.value ? (
        <MadeLinks {...made.value} onDone={onClose} />
      ) : (
        <ShareForm things={things} asksForApproval={asksForApproval} people={people} made={made} />
      )}
    </Dialog>
  );
}

type FormProps = Required<ShareOptions> & { things: readonly Shared[]; made: Signal<Result | null> };

function ShareForm({ things: asked, asksForApproval, people: wanted, made }: FormProps) {
  const along = useAlong(asked);
  const things = along.isWhole ? asked.map((thing) => ({ ...thing, wholeFamily: true })) : asked;
  const people = usePeople(wanted);
  const { rows } = people;
  const addressed = rows.filter(({ email }) => email.trim() !== "");
  const listName = useSignal(nameOfMany(things));
  const settings = useSignal(firstSettings(asksForApproval));
  const mail = useMailForm();
  const form = useRef<HTMLFormElement>(null);
  const isTried = useSignal(false);
  const faults = faultsOf(things, listName.value, rows, settings.value);
  const said = isTried.value ? faults : NO_FAULTS;
  const { isBusy, links, refusals, problem, send } = useMaking(things, made);

  const submit = (isSending: boolean) => {
    isTried.value = true;
    if (faults.isWrong) return showFault(form.current);
    if (isBusy.peek()) return;
    memory.set("share", { ...settings.peek(), password: "" });
    return send({
      listName: listName.peek(),
      rows,
      settings: settings.peek(),
      mail: isSending ? mailOf(mail.peek(), settings.peek().opens) : undefined,
      keep: (left) => {
        people.names.value = left.map(({ name }) => name);
        people.emails.value = Object.fromEntries(left.map(({ name, email }) => [name, email]));
        people.typed.value = "";
      },
    });
  };
  return (
    <form
      ref={form}
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // Enter in a field writes to nobody.
        if (addressed.length === 0) void submit(false);
      }}
    >
      <AlongChoice along={along} />
      {things.length > 1 && (
        <Field
          label="Playlist name"
          hint="The tracks are shared as a new playlist."
          maxLength={MAX_PLAYLIST_NAME}
          error={said.name}
          value={listName.value}
          onInput={({ currentTarget }) => {
            listName.value = currentTarget.value;
          }}
        />
      )}
      <PeopleFields people={people} error={said.people} refusals={refusals.value} isTried={isTried.value} />
      {addressed.length > 0 && <MailFields form={mail} opensLater={settings.value.opens.trim() !== ""} />}
      <SettingFields
        value={settings.value}
        onChange={(change) => {
          settings.value = { ...settings.value, ...change };
        }}
        problems={said.settings}
      />
      <MadeSoFar links={links.value} />
      <Refusal sentence={problem.value} />
      <Actions
        count={addressed.length}
        isBusy={isBusy.value}
        onPreview={() =>
          previewMail(draftOf(things, listName.peek(), addressed, settings.peek(), mail.peek()))
        }
        onCreate={() => submit(false)}
        onSend={() => submit(true)}
      />
    </form>
  );
}

/** The first field that is wrong gets the focus, once it says so. */
function showFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid]")?.focus());
}

type Faults = {
  name: string | undefined;
  people: string | undefined;
  settings: SettingProblems;
  isWrong: boolean;
};

const NO_FAULTS: Faults = { name: undefined, people: undefined, settings: {}, isWrong: false };

/** Returns what the server would not accept. */
function faultsOf(
  things: readonly Shared[],
  listName: string,
  rows: readonly Row[],
  settings: Settings,
): Faults {
  const name = things.length > 1 && listName.trim() === "" ? wantedSentence("name") : undefined;
  const people = rows.length > 0 ? undefined : askedOf(settings);
  const problems = problemsOf(settings);
  const isAddressed = rows.every(({ email }) => emailProblem(email) === undefined);
  const isWrong =
    name !== undefined || people !== undefined || Object.keys(problems).length > 0 || !isAddressed;
  return { name, people, settings: problems, isWrong };
}

type ActionsProps = {
  /** Of those who have an address. */
  count: number;
  isBusy: boolean;
  onPreview: () => unknown;
  onCreate: () => unknown;
  onSend: () => unknown;
};

function Actions({ count, isBusy, onPreview, onCreate, onSend }: ActionsProps) {
  if (count === 0)
    return (
      <div class="dialog-actions">
        <button type="submit" class="button" aria-disabled={isBusy}>
          Create link
        </button>
      </div>
    );
  return (
    <div class="dialog-actions mail-actions">
      <Button look="quiet" run={onPreview}>
        Preview
      </Button>
      <Button look="secondary" aria-disabled={isBusy} run={onCreate}>
        Create link
      </Button>
      <Button aria-disabled={isBusy} run={onSend}>
        {sendTo(count)}
      </Button>
    </div>
  );
}

/** Returns the mail of the form, to be looked at. Several tracks are a playlist that is not made yet. */
function draftOf(
  things: readonly Shared[],
  name: string,
  people: readonly Row[],
  settings: Settings,
  mail: MailForm,
): MailDraft {
  const [first] = things;
  const { password, expiresAt, notBefore, allowReview, askAnswer } = toBody(settings);
  const link = { ...(password && { password }), expiresAt, notBefore, allowReview, askAnswer };
  const what = { ...link, ...mailOf(mail, settings.opens), recipients: recipientsOf(people) };
  if (things.length > 1) return { kind: "pack", name, trackIds: things.map(({ id }) => id), ...what };
  const id = first?.id ?? "";
  return { kind: "link", ...(first?.entity === "playlist" ? { playlistId: id } : { trackId: id }), ...what };
}

/** Who has a link already, when others were refused. */
function MadeSoFar({ links }: { links: readonly Made[] }) {
  if (links.length === 0) return null;
  const names = links.map(({ recipient }) => recipient ?? "everyone");
  return (
    <p class="field-hint" role="status">
      Made already: {links.length === 1 ? "the link" : "links"} for {LIST.format(names)}.
    </p>
  );
}

const LIST = new Intl.ListFormat("en", { type: "conjunction" });

/** What the last link allowed. It asks for something, waits, and is not marked only where that is wanted now. */
const firstSettings = (allowReview: boolean): Settings => {
  const last = { ...PLAIN, ...memory.get<Settings>("share") };
  const comments = allowReview || last.allowComments;
  const now = { password: "", opens: "", askAnswer: false, isMarked: true };
  return { ...last, ...now, allowReview, allowComments: comments };
};

/** Returns what is wrong with a link for everyone that asks. */
function askedOf({ allowReview, askAnswer }: Settings): string | undefined {
  if (allowReview) return "Enter a name: only a person can be asked for approval.";
  return askAnswer ? "Enter a name: only a person can be asked for an answer." : undefined;
}

function nameOfMany([first, ...others]: readonly Shared[]): string {
  return first ? `${first.title} and ${others.length} more`.slice(0, MAX_PLAYLIST_NAME) : "";
}
