/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { showDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { toast } from "../../ui/toast.tsx";
import { STATE_WORDS, STATES } from "./items.ts";
import { keepSentences, SENTENCES, sentences } from "./thanks.ts";

/** Opens the dialog in which the prepared sentences are changed. */
export const openSentences = () => showDialog((close) => <SentencesDialog onClose={close} />);

function SentencesDialog({ onClose }: { onClose: () => void }) {
  const texts = useSignal(sentences());
  const send = async () => {
    keepSentences(texts.peek());
    toast("Sentences kept");
  };
  return (
    <FormDialog label="Prepared sentences" verb="Save" onClose={onClose} send={send}>
      {() => (
        <>
          <p class="soft">
            What the message says after “Hello”. {"{title}"} stands for the song. Clear one to have ours
            again.
          </p>
          {STATES.map((state) => (
            <TextField
              key={state}
              label={STATE_WORDS[state]}
              placeholder={SENTENCES[state]}
              maxLength={500}
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
