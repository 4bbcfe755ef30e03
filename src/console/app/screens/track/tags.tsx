/** @jsxRuntime automatic @jsxImportSource preact */
import { Button } from "../../ui/button.tsx";
import { counted, percent } from "../../ui/numbers.ts";
import { toastError } from "../../ui/toast.tsx";
import "./tags.css";
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { noteSaved } from "../../actions/others.ts";
import { type TagOption, tagOptions, useTagNames } from "../../actions/tag-names.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed, useQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announce.ts";
import { RemovableChip } from "../../ui/chip.tsx";
import { Combobox } from "../../ui/combobox.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type Suggestion, suggestionsQuery, type Track, taxonomyQuery } from "./queries.ts";
import { CATEGORIES, type Category, namesOf, OWN_WORDS } from "./tag-categories.ts";

const MAX_OPTIONS = 40;

type Edit = { category: Category["id"]; add?: string[]; remove?: string[]; reject?: string[] };

/** The track's tags by category, and what the analysis suggests beside them. */
export function Tags({ track }: { track: Track }) {
  const { data } = useQuery(suggestionsQuery(track.id));
  const suggestions = data && "suggestions" in data.data ? data.data.suggestions : [];
  const taxonomy = useQuery(taxonomyQuery).data?.data;
  /** Returns the first category that has a word, as the bulk change of tags finds it. */
  const homeOf = (name: string): Category =>
    CATEGORIES.find((each) => each.taxonomy && taxonomy?.[each.taxonomy]?.some((tag) => tag.name === name)) ??
    OWN_WORDS;
  const taught = useSignal<number | undefined>(undefined);
  const edit = async (edits: Edit[]) => {
    const params = { path: { trackId: track.id } };
    const answer = await dataOf(api.POST("/app/tracks/{trackId}/tags", { params, body: { edits } })).catch(
      toastError,
    );
    if (answer) {
      taught.value = answer.taught;
      for (const each of edits) noteTags(track, each);
    }
    changed("tags", [track.id]);
  };
  const open = suggestions.filter(({ category, name }) => {
    const own = CATEGORIES.find(({ wire }) => wire === category);
    return own && !namesOf(track, own.id).includes(name);
  });
  const acceptAll = () => {
    const edits = CATEGORIES.map(({ id, wire }) => ({
      category: id,
      add: open.filter(({ category }) => category === wire).map(({ name }) => name),
    }));
    announce(`${open.length} tags accepted`);
    void edit(edits.filter(({ add }) => add.length > 0));
  };
  return (
    <div class="tags">
      <div class="tags-head">
        <p class="soft">
          {open.length > 0
            ? "Dashed tags come from the analysis. Press Enter to accept one, Backspace to reject it."
            : waitingWords(track)}
        </p>
        {open.length > 0 && (
          <Button look="secondary small" run={acceptAll}>
            Accept all
          </Button>
        )}
      </div>
      {CATEGORIES.map((category) => (
        <Group
          key={category.id}
          category={category}
          names={namesOf(track, category.id)}
          suggestions={open.filter((suggestion) => suggestion.category === category.wire)}
          onEdit={(change) => void edit([{ category: category.id, ...change }])}
          onAdd={(name, wanted) => void edit([{ category: (wanted ?? homeOf(name)).id, add: [name] }])}
        />
      ))}
      <p class="soft" role="status">
        {taught.value !== undefined && `You have taught ${counted(taught.value, "tag")}`}
      </p>
    </div>
  );
}

/** Remembers the tags of a category as they are after an edit. */
function noteTags(track: Track, { category, add = [], remove = [] }: Edit): void {
  const { wire } = CATEGORIES.find(({ id }) => id === category) ?? OWN_WORDS;
  const kept = namesOf(track, category).filter((name) => !remove.includes(name));
  const names = [...kept, ...add.filter((name) => !kept.includes(name))];
  const params = { query: { id: track.id } };
  noteSaved({
    trackId: track.id,
    field: wire,
    text: inWords(names),
    textIn: (now) => inWords(namesOf(now, category)),
    putBack: async () => {
      await dataOf(api.PATCH("/app/library/tracks/tags", { params, body: { [wire]: names } }));
      changed("tags", [track.id]);
    },
  });
}

const inWords = (names: readonly string[]) => names.join(", ");

function waitingWords({ analysis }: Track): string {
  const isWaiting = analysis.status === "pending" || analysis.status === "processing";
  return isWaiting ? "Suggestions appear after the analysis." : "No suggestions left.";
}

type GroupProps = {
  category: Category;
  names: readonly string[];
  suggestions: readonly Suggestion[];
  onEdit: (change: Omit<Edit, "category">) => void;
  /** Adds a tag; without a category, to the first that has the word, or else to the own words. */
  onAdd: (name: string, category: Category | undefined) => void;
};

function Group({ category, names, suggestions, onEdit, onAdd }: GroupProps) {
  const text = useSignal("");
  const { data } = useQuery(taxonomyQuery);
  const all = useMemo(
    () => (category.taxonomy ? (data?.data[category.taxonomy] ?? []).map(({ name }) => name) : []),
    [data, category.taxonomy],
  );
  const isFree = category.taxonomy === undefined;
  // Own words are looked for in every category first: what the vocabulary has is found and filtered better.
  const elsewhere = useTagNames(isFree ? text.value : "");
  const sought = text.value.trim().toLowerCase();
  const fitting = isFree ? (elsewhere ?? []) : all.filter((name) => name.toLowerCase().includes(sought));
  const open = fitting
    .filter((name) => !names.includes(name))
    .toSorted(
      (one, other) =>
        Number(other.toLowerCase().startsWith(sought)) - Number(one.toLowerCase().startsWith(sought)),
    )
    .slice(0, MAX_OPTIONS);
  const options = tagOptions(text.value, open, "Create tag").filter(({ name }) => !names.includes(name));
  const add = ({ name, isNew = false }: TagOption) => {
    text.value = "";
    announce(`${name} added`);
    onAdd(name, isNew || isFree ? undefined : category);
  };
  return (
    <fieldset class="tag-group">
      <legend>{category.name}</legend>
      <div class="chips">
        {names.map((name) => (
          <RemovableChip key={name} name={`Remove ${name}`} onRemove={() => onEdit({ remove: [name] })}>
            {name}
          </RemovableChip>
        ))}
        {suggestions.map(({ name, confidence }) => (
          <SuggestionChip key={`${name} suggested`} name={name} confidence={confidence} onEdit={onEdit} />
        ))}
        <Combobox
          label={`Add to ${category.name}`}
          isLabelHidden
          placeholder="Add…"
          text={text}
          options={options}
          onChoose={add}
          onBackspace={() => {
            const last = names.at(-1);
            if (last !== undefined) onEdit({ remove: [last] });
          }}
        />
      </div>
    </fieldset>
  );
}

type ChipProps = { name: string; confidence: number; onEdit: GroupProps["onEdit"] };

/** A suggested tag with how sure it is: one half accepts it, the other rejects it. */
function SuggestionChip({ name, confidence, onEdit }: ChipProps) {
  const answer = (change: Omit<Edit, "category">, words: string) => {
    announce(`${name} ${words}`);
    onEdit(change);
  };
  const accept = () => answer({ add: [name] }, "accepted");
  const reject = () => answer({ reject: [name] }, "rejected");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Backspace" && event.key !== "Delete") return;
    event.preventDefault();
    event.stopPropagation();
    focusNext(event.currentTarget as HTMLElement);
    reject();
  };
  return (
    <span class="suggestion">
      <button
        type="button"
        class="suggestion-accept"
        aria-label={`Accept ${name}`}
        onClick={({ currentTarget }) => {
          focusNext(currentTarget);
          accept();
        }}
        onKeyDown={onKeyDown}
      >
        {name}
      </button>
      <span class="suggestion-sure" title="How sure the analysis is">
        {percent(confidence)}
      </span>
      <button
        type="button"
        class="suggestion-reject"
        aria-label={`Reject ${name}`}
        onClick={({ currentTarget }) => {
          focusNext(currentTarget);
          reject();
        }}
      >
        <Icon name="close" />
      </button>
    </span>
  );
}

/** A chip that goes must not take the focus with it. */
function focusNext(button: HTMLElement): void {
  const all = [...document.querySelectorAll<HTMLElement>(".suggestion-accept, .tags input")];
  const chip = button.closest(".suggestion")?.querySelector<HTMLElement>(".suggestion-accept");
  all[all.indexOf(chip ?? button) + 1]?.focus();
}
