/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { MAX_QUERY } from "../../../../modules/search/search/shapes.ts";
import { query, useQuery } from "../../api/queries.ts";
import { keep, kept } from "../../router.ts";
import { IconButton } from "../../ui/button.tsx";
import { useActions } from "../../ui/keys.ts";
import { type Ask, type Asked, MIN_LENGTH } from "./asked.ts";
import { ChooseReference } from "./choose-reference.tsx";
import { give, isAddress } from "./given.ts";
import { type Recent, RecentSearches, useRecent } from "./recent.tsx";

const REST_MS = 600;
const PLACEHOLDER = "Warm Rhodes and brushed drums for a late drive, around 90 BPM, no vocals";

type Props = {
  text: Signal<string>;
  asked: Asked;
  ask: Ask;
  /** Searches by a sound from outside. */
  take: (id: string) => void;
};

/** The one box. It searches on Enter; where searches are free, also when typing rests. */
export function SearchField({ text, asked, ask, take }: Props) {
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
  const choose = useRef(() => {});
  const recent = useRecent(text, ({ asked }: Recent) => (asked ? ask(asked) : choose.current()));
  const submit = () => {
    recent.close();
    const typed = text.value.trim();
    const prose = isAddress(typed) ? asked.prose : typed;
    text.value = prose;
    if (isAddress(typed)) take(give(typed));
    else if (prose !== "" || asked.reference) ask({ ...asked, prose });
  };
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault();
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
          onPaste={(event) => takePasted(event, take)}
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
              ask({ ...asked, prose: "", constraints: {}, like: [], less: [] });
              box.current?.focus();
            }}
          />
        )}
        <ChooseReference open={choose} take={take} />
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

/** Takes a file, or the address of one; other text is pasted into the field. */
function takePasted(event: ClipboardEvent, take: Props["take"]): void {
  const [file] = event.clipboardData?.files ?? [];
  const text = event.clipboardData?.getData("text").trim() ?? "";
  if (!file && !isAddress(text)) return;
  event.preventDefault();
  take(give(file ?? text));
}

/** Searches when typing has rested, where that costs nothing. */
function useRest(
  text: Signal<string>,
  current: { current: { asked: Asked; ask: Ask; isFree: boolean } },
): void {
  useEffect(() => {
    const value = text.value.trim();
    const { asked, isFree } = current.current;
    if (!isFree || value.length < MIN_LENGTH || isAddress(value) || value === asked.prose.trim()) return;
    const timer = setTimeout(() => {
      const { asked: now, ask } = current.current;
      // Enter was faster.
      if (value === now.prose.trim()) return;
      ask({ ...now, prose: value }, now.prose !== "");
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [text.value, current]);
}
