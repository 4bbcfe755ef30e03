/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_QUERY } from "../../../../modules/search/search/shapes.ts";
import { query, useQuery } from "../../api/queries.ts";
import { setSearch } from "../../router.ts";
import { tooltip } from "../../ui/actions.ts";
import { Button } from "../../ui/button.tsx";
import { Check, Field, SelectField } from "../../ui/field.tsx";
import { useActions } from "../../ui/keys.ts";
import { saveFiles, saveItems } from "./export.ts";
import { type Item, STATE_WORDS, STATES } from "./items.ts";
import { advances, playsOnOpen } from "./listen.ts";
import type { Counts } from "./use-inbox.ts";

type ToolsProps = {
  state: string;
  briefId: string;
  q: string;
  counts: Counts | undefined;
  items: readonly Item[];
  /** True while one is open: on a telephone it has the screen for itself. */
  isChosen: boolean;
};

/** What the list shows, a search within it, and ways to take it along. */
export function Tools({ state, briefId, q, counts, items, isChosen }: ToolsProps) {
  const name = `Submissions ${new Date().toISOString().slice(0, 10)}`;
  return (
    <div class={isChosen ? "inbox-tools inbox-tools-aside" : "inbox-tools"}>
      <fieldset class="inbox-states" aria-label="Show">
        {[...STATES, "all" as const].map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={state === each}
            onClick={() => setSearch({ state: each === "new" ? undefined : each, id: undefined })}
          >
            {each === "all" ? "All" : each === "new" ? "To decide" : STATE_WORDS[each]}
            {counts && each !== "all" && <span class="inbox-count"> {counts[each]}</span>}
          </button>
        ))}
      </fieldset>
      <BriefChoice briefId={briefId} />
      <Prose key={q} q={q} />
      <div class="inbox-options">
        <Choice name="Play on open" isOn={playsOnOpen} />
        <Choice name="Next after deciding" isOn={advances} />
        <Button look="quiet small" run={() => saveItems(name, items)}>
          Save as CSV
        </Button>
        <Button look="quiet small" run={() => saveFiles(name, items)}>
          Download ZIP
        </Button>
      </div>
    </div>
  );
}

function Choice({ name, isOn }: { name: string; isOn: Signal<boolean> }) {
  return (
    <Check
      isOn={isOn.value}
      onChange={(isNow) => {
        isOn.value = isNow;
      }}
    >
      {name}
    </Check>
  );
}

/** Which brief the list is about. */
function BriefChoice({ briefId }: { briefId: string }) {
  const { data } = useQuery(query("/app/briefs", { query: { limit: 200 } }, { submissions: "all" }));
  const briefs = (data?.data ?? []).filter(
    ({ id, submissionCount }) => submissionCount > 0 || id === briefId,
  );
  if (briefs.length === 0) return null;
  return (
    <div class="inbox-brief">
      <SelectField
        label="Brief"
        isLabelHidden
        value={briefId}
        options={[
          { value: "", name: "All open briefs" },
          ...briefs.map(({ id, name }) => ({ value: id, name })),
        ]}
        onChange={(brief) => setSearch({ brief, id: undefined })}
      />
    </div>
  );
}

/** Searches the submissions by prose. */
function Prose({ q }: { q: string }) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const text = useSignal(q);
  useActions({ searchField: () => field.current?.focus() });
  const search = () => setSearch({ q: text.peek().trim(), id: undefined });
  return (
    <div class="inbox-search">
      <Field
        label="Search submissions"
        isLabelHidden
        type="search"
        inputRef={field}
        placeholder="Search: slow, warm, no vocals"
        title={tooltip("searchField")}
        maxLength={MAX_QUERY}
        value={text.value}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          if (currentTarget.value === "") search();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          field.current?.blur();
          search();
        }}
      />
    </div>
  );
}
