/** @jsxRuntime automatic @jsxImportSource preact */
import { useEffect } from "preact/hooks";
import { clock } from "../../player/time.ts";
import { Button } from "../../ui/button.tsx";
import { confirmFinal } from "../../ui/dialog.tsx";
import { canRecord } from "./recorder.ts";
import "./record.css";
import { addRecording, recordings, refreshRecordings, throwAway } from "./recordings.ts";
import type { Recording } from "./store.ts";

async function openRecorder(): Promise<void> {
  (await import("./record-dialog.tsx")).openRecorder();
}

/** Records, where the browser can. */
export function RecordButton() {
  if (!isSecureContext) return <p class="soft">Recording in the browser needs https.</p>;
  if (!canRecord()) return null;
  return (
    <Button look="secondary" run={openRecorder}>
      Record
    </Button>
  );
}

/** Recordings that were not added, as when the tab was closed. */
export function KeptRecordings() {
  useEffect(refreshRecordings, []);
  if (recordings.value.length === 0) return null;
  return (
    <section class="recordings-left" aria-labelledby="recordings">
      <h2 id="recordings">Recordings on this device</h2>
      <ul class="recordings">
        {recordings.value.map((recording) => (
          <li key={recording.id}>
            <span>
              {recording.name} <span class="soft">{clock(recording.seconds)}</span>
            </span>
            <Button look="small" label={`Add ${recording.name}`} run={() => addRecording(recording)}>
              Add
            </Button>
            <Button look="quiet small" label={`Throw away ${recording.name}`} run={() => ask(recording)}>
              Throw away
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function ask(recording: Recording): Promise<void> {
  if (await confirmFinal(`Throw away ${recording.name}?`, "Throw away", "It is nowhere else."))
    await throwAway(recording);
}
