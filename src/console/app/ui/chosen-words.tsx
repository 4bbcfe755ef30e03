/** @jsxRuntime automatic @jsxImportSource preact */
import type { Signal } from "@preact/signals";
import { Chips } from "./chip.tsx";
import { Combobox, type Option } from "./combobox.tsx";

type WordsProps<Chosen extends Option> = {
  label: string;
  text: Signal<string>;
  chosen: Signal<readonly string[]>;
  options: readonly Chosen[];
  /** The word that a line of the list stands for. */
  wordOf: (option: Chosen) => string;
  /** What Enter does with a text that is no line of the list. */
  onEnter?: (text: string) => void;
  placeholder?: string;
  autofocus?: boolean;
  error?: string | undefined;
};

/** Words that are chosen from a list or typed; each becomes a chip, and Backspace takes the last one away. */
export function ChosenWords<Chosen extends Option>(props: WordsProps<Chosen>) {
  const { text, chosen, options, wordOf, ...field } = props;
  const choose = (word: string) => {
    text.value = "";
    if (!chosen.value.includes(word)) chosen.value = [...chosen.value, word];
  };
  const removeAt = (at: number) => {
    chosen.value = chosen.value.toSpliced(at, 1);
  };
  return (
    <div class="chosen-words">
      <Combobox
        {...field}
        text={text}
        options={options.filter((option) => !chosen.value.includes(wordOf(option)))}
        onChoose={(option) => choose(wordOf(option))}
        onBackspace={() => removeAt(-1)}
      />
      <Chips words={chosen.value} onRemove={removeAt} />
    </div>
  );
}
