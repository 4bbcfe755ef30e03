import { type Signal, useSignal } from "@preact/signals";
import { ApiError, sentenceOf } from "../api/errors.ts";

/** What is wrong with each field, by its name in the request. */
export type Wrong = Readonly<Record<string, string>>;

/**
 * Sends a form once at a time. A refusal of fields is in `wrong`, to stand beside them, and the first of them gets the focus;
 * any other is the sentence `problem`.
 *
 * @param send Sends what was typed. @throws ApiError
 */
export function useForm(send: () => unknown) {
  const wrong = useSignal<Wrong>({});
  const problem = useSignal<string | undefined>(undefined);
  const isSending = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (isSending.peek()) return;
    isSending.value = true;
    wrong.value = {};
    problem.value = undefined;
    try {
      await send();
    } catch (thrown) {
      const issues = thrown instanceof ApiError ? thrown.issues : [];
      wrong.value = Object.fromEntries(
        issues.map(({ path, detail }) => [path.split(".")[0] ?? path, `This ${detail}.`]),
      );
      if (issues.length === 0) problem.value = sentenceOf(thrown);
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid]")?.focus());
    } finally {
      isSending.value = false;
    }
  };
  return { wrong: wrong.value, problem: problem.value, isSending: isSending.value, submit };
}

/** Binds a text field to what was typed. */
export const typed = (value: Signal<string>) => ({
  value: value.value,
  onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
    value.value = currentTarget.value;
  },
});
