/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { MAX_QUERY } from "../../../../modules/search/search/shapes.ts";
import { query, useQuery } from "../../api/queries.ts";
import { keep, kept } from "../../router.ts";
import { IconButton } from "../../ui/button.tsx";
import { useActions } from "../../ui/keys.ts";
import { type Ask, type Asked, MIN_LENGTH } from "./asked.ts";
import { type Recent, RecentSearches, useRecent } from "./recent.tsx";

const REST_MS = 600;
const PLACEHOLDER = "Warm Rhodes and brushed drums for a late drive, around 90 BPM, no vocals";

type Props = { text: Signal<string>; asked: Asked; ask: Ask };

/** The one box. It searches on Enter; where searches are free, also when typing rests. */
export function SearchField({ text, asked, ask }: Props) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  const { data: credits } = useQuery(query("/app/credits", {}, {}));
  const isFree = credits?.data.unlimited ?? false;
  const current = useRef({ asked, ask, isFree });
  current.current = { asked, ask, isFree };
  useActions({ searchField: () => box.current?.select() });
  useEffect(() => {
    if (!kept<boolean>("field")) return;
    keep("field", false);
    box.current?.focus();
  }, []);
  useRest(text, current);
  const submit = () => {
    if (text.value.trim() !== "") ask({ ...asked, prose: text.value.trim() });
  };
  const recent = useRecent(text, (chosen: Recent) => ask(chosen.asked));
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        recent.close();
        submit();
      }}
    >
      <div class="search-box" data-value={`${text.value || PLACEHOLDER} `}>
        <label class="sr-only" for={id}>
          Describe the music
        </label>
        <textarea
          ref={box}
          id={id}
          rows={1}
          maxLength={MAX_QUERY}
          placeholder={PLACEHOLDER}
          value={text}
          {...recent.attributes}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
          onFocus={recent.open}
          onBlur={recent.close}
          onKeyDown={(event) => {
            if (recent.onKeyDown(event) || event.key !== "Enter" || event.shiftKey || event.isComposing)
              return;
            event.preventDefault();
            submit();
          }}
        />
        {text.value !== "" && (
          <IconButton
            label="Clear"
            icon="close"
            run={() => {
              ask({ prose: "", constraints: {}, like: [], less: [] });
              box.current?.focus();
            }}
          />
        )}
        <button type="submit" class="button">
          Search
        </button>
      </div>
      <RecentSearches {...recent} />
      {!isFree && credits && (
        <p class="search-credits">
          {credits.data.credits === 1 ? "1 credit is left." : `${credits.data.credits} credits are left.`} A
          search costs one.
        </p>
      )}
    </form>
  );
}

/** Searches when typing has rested, where that costs nothing. */
function useRest(
  text: Signal<string>,
  current: { current: { asked: Asked; ask: Ask; isFree: boolean } },
): void {
  useEffect(() => {
    const value = text.value.trim();
    const { asked, isFree } = current.current;
    if (!isFree || value.length < MIN_LENGTH || value === asked.prose.trim()) return;
    const timer = setTimeout(() => {
      const { asked: now, ask } = current.current;
      // Enter was faster.
      if (value === now.prose.trim()) return;
      ask({ ...now, prose: value }, now.prose !== "");
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [text.value, current]);
}
