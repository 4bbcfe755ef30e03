/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { sentenceOf } from "../api/errors.ts";
import { wantedSentence } from "../api/field-words.ts";
import { changed } from "../api/queries.ts";
import { memory } from "../memory.ts";
import { ChosenWords } from "../ui/chosen-words.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, Refusal } from "../ui/field.tsx";
import { optionsOf, useContacts } from "./contacts.ts";
import { copyText } from "./copy.ts";
import { createLinks, type Made, type Shared, type ShareOptions } from "./create.ts";
import { MadeLinks } from "./made-links.tsx";
import { PLAIN, problemsOf, SettingFields, type Settings } from "./settings.tsx";
import "./share.css";
import { MAX_PLAYLIST_NAME } from "../../../modules/library/playlists/shapes.ts";

type DialogProps = ShareOptions & { things: readonly Shared[]; onClose: () => void };
type Result = { links: readonly Made[]; title: string; isCopied: boolean };

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

function ShareForm({ things, asksForApproval, people: wanted, made }: FormProps) {
  const people = useSignal(wanted);
  const typed = useSignal("");
  const listName = useSignal(nameOfMany(things));
  const settings = useSignal(firstSettings(asksForApproval));
  const problem = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const isTried = useSignal(false);
  const problems = problemsOf(settings.value);
  const isNameless = things.length > 1 && listName.value.trim() === "";
  const nameProblem = isNameless ? wantedSentence("name") : undefined;
  const named = withTyped(people.value, typed.value);
  const asked = named.length > 0 ? undefined : askedOf(settings.value);

  const submit = async () => {
    isTried.value = true;
    if (isBusy.value || asked !== undefined || nameProblem !== undefined || Object.keys(problems).length > 0)
      return;
    isBusy.value = true;
    try {
      const links = await createLinks(things, listName.value, named, settings.value);
      memory.set("share", { ...settings.value, password: "" });
      changed("shares", null);
      const title = things.length > 1 ? listName.value : (things[0]?.title ?? "Music");
      made.value = { links, title, isCopied: await copyText(links.map(({ url }) => url).join("\n")) };
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      class="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {things.length > 1 && (
        <Field
          label="Playlist name"
          hint="The tracks are shared as a new playlist."
          maxLength={MAX_PLAYLIST_NAME}
          error={isTried.value ? nameProblem : undefined}
          value={listName.value}
          onInput={({ currentTarget }) => {
            listName.value = currentTarget.value;
          }}
        />
      )}
      <People people={people} typed={typed} error={isTried.value ? asked : undefined} />
      <SettingFields
        value={settings.value}
        onChange={(change) => {
          settings.value = { ...settings.value, ...change };
        }}
        problems={isTried.value ? problems : {}}
      />
      <Refusal sentence={problem.value} />
      <div class="dialog-actions">
        <button type="submit" class="button" aria-disabled={isBusy.value}>
          Create link
        </button>
      </div>
    </form>
  );
}

/** What the last link allowed. It waits, and asks for something, only where that is wanted now. */
const firstSettings = (allowReview: boolean): Settings => {
  const last = { ...PLAIN, ...memory.get<Settings>("share") };
  const allowComments = allowReview || last.allowComments;
  return { ...last, password: "", opens: "", allowReview, askAnswer: false, allowComments };
};

/** Returns what is wrong with a link for everyone that asks. */
function askedOf({ allowReview, askAnswer }: Settings): string | undefined {
  if (allowReview) return "Enter a name: only a person can be asked for approval.";
  return askAnswer ? "Enter a name: only a person can be asked for an answer." : undefined;
}

type PeopleProps = {
  people: Signal<readonly string[]>;
  typed: Signal<string>;
  error: string | undefined;
};

/** The recipients, by name and address, each with their own link. Without any, one link for everyone. */
function People({ people, typed, error }: PeopleProps) {
  const others = useContacts().filter(({ name }) => !people.value.includes(name));
  return (
    <div class="share-people">
      <ChosenWords
        label="For whom"
        autofocus
        placeholder={people.value.length > 0 ? "Add someone" : "Anyone with the link"}
        text={typed}
        chosen={people}
        error={error}
        options={optionsOf(others, typed.value)}
        wordOf={({ text }) => text}
        onEnter={(name) => {
          people.value = withTyped(people.value, name);
          typed.value = "";
        }}
      />
      <p class="field-hint">
        {people.value.length > 1
          ? `${people.value.length} links, one for each person.`
          : "Each person gets their own link, so you can see who listened."}
      </p>
    </div>
  );
}

function withTyped(people: readonly string[], typed: string): readonly string[] {
  const name = typed.trim();
  return name === "" || people.includes(name) ? people : [...people, name];
}

function nameOfMany([first, ...others]: readonly Shared[]): string {
  return first ? `${first.title} and ${others.length} more`.slice(0, MAX_PLAYLIST_NAME) : "";
}
