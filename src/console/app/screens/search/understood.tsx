/** @jsxRuntime automatic @jsxImportSource preact */
import { showDialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { AddWish } from "./add-wish.tsx";
import type { Ask, Asked } from "./asked.ts";
import { ChipEditor } from "./chip-editor.tsx";
import { type Chip, chipName, chipsOf } from "./chips.ts";
import type { Answer } from "./search.ts";
import { titleOf } from "./titles.ts";

/** How the sentence was read: chips in its order, a summary, and the words that were not understood. */
export function Understood({ asked, answer, ask }: { asked: Asked; answer: Answer; ask: Ask }) {
  const chips = chipsOf(asked, answer, titleOf);
  const { interpretation } = answer;
  // The results below then say so.
  const isUnread = !interpretation.briefParsed && answer.count === 0;
  const isBesideTracks =
    asked.like.length > 0 || asked.reference !== undefined || (interpretation.seeds?.length ?? 0) > 0;
  const edit = (chip: Chip) =>
    showDialog((close) => <ChipEditor chip={chip} asked={asked} ask={ask} onClose={close} />);
  return (
    <section class="understood" aria-label="Interpretation">
      <div class="chips understood-chips">
        {chips.length > 0 && (
          <ul class="chips" aria-label="Understood as">
            {chips.map((chip) => (
              <li key={chip.id}>
                <ChipButton chip={chip} onClick={() => edit(chip)} />
              </li>
            ))}
          </ul>
        )}
        <button
          type="button"
          class="chip chip-add"
          aria-label="Add a wish"
          onClick={() =>
            showDialog((close) => <AddWish {...{ asked, ask, isBesideTracks }} onClose={close} />)
          }
        >
          <Icon name="add" />
          Add
        </button>
      </div>
      {asked.prose !== "" && !isUnread && (
        <p class="understood-summary">{sentenceOf(interpretation.summary)}</p>
      )}
      {!isUnread && <PlainWords answer={answer} />}
    </section>
  );
}

/** The summary; why nothing was found is said below it. */
const sentenceOf = (summary: string): string =>
  summary
    .replace(/ (?:No track is left:|Nothing in the library fits|There is no analysed music).*$/, "")
    .replace(/(?<=\d)-(?=\d)/g, "–");

function ChipButton({ chip, onClick }: { chip: Chip; onClick: () => void }) {
  const { kind, value, state, isKnown } = chip;
  return (
    <button
      type="button"
      class={`chip wish wish-${state} ${isKnown ? "" : "wish-unknown"}`}
      aria-label={chipName(chip)}
      aria-haspopup="dialog"
      {...(state === "must" && { "aria-description": "Must have" })}
      title={isKnown ? undefined : "Dubplate does not know this name"}
      onClick={onClick}
    >
      <span class="wish-kind">{state === "out" ? "Without" : kind}</span>{" "}
      <span class="wish-value">{value}</span>
    </button>
  );
}

/** The words that mean nothing to the reader of briefs: those found in names, lyrics and notes, and those found nowhere. */
function PlainWords({ answer: { interpretation } }: { answer: Answer }) {
  const nowhere = interpretation.notUnderstood ?? [];
  const names = [...interpretation.references.map(({ name }) => name), ...nowhere].map((name) =>
    name.toLowerCase(),
  );
  const words = (interpretation.words ?? []).filter((word) => !names.includes(word));
  return (
    <>
      {interpretation.briefParsed && words.length > 0 && (
        <p class="understood-words">Looked for in names, lyrics and notes: {quoted(words)}</p>
      )}
      {nowhere.length > 0 && <p class="understood-words">Not understood: {quoted(nowhere)}</p>}
    </>
  );
}

const quoted = (words: readonly string[]): string => words.map((word) => `“${word}”`).join(", ");
