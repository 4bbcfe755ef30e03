/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_THANKS } from "../../../../modules/people/accounts/shapes.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { STATE_WORDS, STATES } from "./items.ts";
import { keepSentences, readSentences, SENTENCES, type Sentences } from "./thanks.ts";

/** Opens the dialog in which the prepared sentences are changed. */
export async function openSentences(): Promise<void> {
  const before = await readSentences();
  showDialog((close) => <SentencesDialog before={before} onClose={close} />);
}

function SentencesDialog({ before, onClose }: { before: Sentences; onClose: () => void }) {
  const texts = useSignal(before);
  const send = async () => {
    await keepSentences(texts.peek());
    toast("Sentences saved");
  };
  return (
    <FormDialog label="Prepared sentences" verb="Save" onClose={onClose} send={send}>
      {() => (
        <>
          <p class="soft">
            What the message says after “Hello”. {"{title}"} becomes the title of the song. Clear a sentence
            to get ours back.
          </p>
          {STATES.map((state) => (
            <TextField
              key={state}
              label={STATE_WORDS[state]}
              placeholder={SENTENCES[state]}
              maxLength={MAX_THANKS}
              value={texts.value[state]}
              onInput={({ currentTarget }) => {
                texts.value = { ...texts.peek(), [state]: currentTarget.value };
              }}
            />
          ))}
        </>
      )}
    </FormDialog>
  );
}
