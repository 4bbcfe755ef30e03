import { type Signal, useSignal } from "@preact/signals";
import { ApiError, sentenceOf } from "../api/errors.ts";
import { fieldOf, issueSentence } from "../api/field-words.ts";

/** The fault of each field, by its name in the request. */
export type Wrong = Readonly<Record<string, string>>;

/**
 * Sends a form once at a time. A refusal of fields is in `wrong`, to be shown beside them, and the first of them gets the focus;
 * any other is the sentence `problem`. The form needs `noValidate`: the sentences are the console's, not the browser's.
 *
 * @param send Sends the values; it gets the value of the button that was pressed. @throws ApiError
 */
export function useForm(send: (pressed: string) => unknown) {
  const wrong = useSignal<Wrong>({});
  const problem = useSignal<string | undefined>(undefined);
  const isSending = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (isSending.peek() || isUnreadable(form)) return;
    isSending.value = true;
    wrong.value = {};
    problem.value = undefined;
    try {
      const { submitter = null } = event as SubmitEvent;
      await send(submitter instanceof HTMLButtonElement ? submitter.value : "");
    } catch (thrown) {
      wrong.value = wrongOf(thrown);
      if (Object.keys(wrong.peek()).length === 0) problem.value = sentenceOf(thrown);
      requestAnimationFrame(() => {
        const first = form.querySelector<HTMLElement>("[aria-invalid]");
        // A refused value may have no field in this form.
        if (!first) problem.value = sentenceOf(thrown);
        first?.focus();
      });
    } finally {
      isSending.value = false;
    }
  };
  return { wrong: wrong.value, problem: problem.value, isSending: isSending.value, submit };
}

function wrongOf(thrown: unknown): Wrong {
  if (!(thrown instanceof ApiError)) return {};
  const field = fieldOf(thrown.code);
  if (field !== undefined) return { [field]: sentenceOf(thrown) };
  return Object.fromEntries(
    // The first issue of a field says it best.
    thrown.issues.toReversed().map((issue) => [issue.path.split(".")[0] ?? issue.path, issueSentence(issue)]),
  );
}

/** A number or day that the browser cannot read is empty for scripts: it must not be sent as if it were. */
function isUnreadable(form: HTMLFormElement): boolean {
  const fields = [...form.querySelectorAll("input")];
  const field = fields.find(({ validity }) => validity.badInput);
  field?.focus();
  return field !== undefined;
}

/** Binds a text field to its value. */
export const typed = (value: Signal<string>) => ({
  value: value.value,
  onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
    value.value = currentTarget.value;
  },
});
