/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { toggle } from "../../player/player.ts";
import { isPlaying } from "../../player/state.ts";
import { clock } from "../../player/time.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, showDialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { type Recorder, record } from "./recorder.ts";
import { addRecording, refreshRecordings } from "./recordings.ts";
import { fileOf, forgetRecordings, keepName, type Recording } from "./store.ts";

const MAX_NAME = 120;
/** From here on peaks are cut. */
const TOO_LOUD = 0.99;
const STAMP = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Opens the recorder. */
export const openRecorder = (): void => showDialog((close) => <RecordDialog onClose={close} />);

type Step =
  | { is: "ready"; problem?: string }
  | { is: "recording"; recorder: Recorder; isPaused: boolean }
  | { is: "done"; recording: Recording; address: string };

function RecordDialog({ onClose }: { onClose: () => void }) {
  const step = useSignal<Step>({ is: "ready" });
  const device = useSignal("");
  const now = step.value;
  const end = async (recorder: Recorder) => {
    const recording = await recorder.stop();
    step.value = { is: "done", recording, address: URL.createObjectURL(await fileOf(recording)) };
    refreshRecordings();
  };
  const start = async () => {
    // It would be on the recording.
    if (isPlaying.peek()) toggle();
    try {
      const recorder = await record(
        `Recording, ${STAMP.format(new Date())}`.replaceAll(":", "."),
        device.peek() || undefined,
      );
      step.value = { is: "recording", recorder, isPaused: false };
      void recorder.unplugged.then(() => {
        if (step.peek().is === "recording") void end(recorder);
      });
    } catch (thrown) {
      step.value = { is: "ready", problem: problemOf(thrown) };
    }
  };
  return (
    <Dialog label="Record" mayClose={now.is !== "recording"} onClose={onClose}>
      {now.is === "ready" && <Ready device={device} problem={now.problem} start={start} />}
      {now.is === "recording" && (
        <Running
          {...now}
          pause={() => {
            if (now.isPaused) now.recorder.goOn();
            else now.recorder.pause();
            step.value = { ...now, isPaused: !now.isPaused };
          }}
          stop={() => end(now.recorder)}
        />
      )}
      {now.is === "done" && (
        <Done
          {...now}
          again={async () => {
            await forgetRecordings([now.recording.id]);
            refreshRecordings();
            step.value = { is: "ready" };
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function problemOf(thrown: unknown): string {
  const { name } = thrown as DOMException;
  if (name === "NotFoundError" || name === "OverconstrainedError")
    return "No microphone was found. Connect one, then try again.";
  if (name === "NotReadableError") return "Another program uses the microphone. Close it, then try again.";
  return "The browser does not let Dubplate use the microphone. Allow it in the browser's settings for this page, then try again.";
}

type ReadyProps = { device: { value: string }; problem: string | undefined; start: () => Promise<void> };

function Ready({ device, problem, start }: ReadyProps) {
  const inputs = useSignal<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    // Names are told only to a page that has recorded before.
    void navigator.mediaDevices.enumerateDevices().then((all) => {
      inputs.value = all.filter(
        ({ kind, label, deviceId }) => kind === "audioinput" && label !== "" && deviceId !== "default",
      );
    });
  }, []);
  return (
    <>
      <p class="soft">It is recorded as it sounds, and kept on this device until it is in your library.</p>
      {inputs.value.length > 1 && (
        <SelectField
          label="Input"
          value={device.value}
          options={[
            { value: "", name: "The usual one" },
            ...inputs.value.map(({ deviceId, label }) => ({ value: deviceId, name: label })),
          ]}
          onChange={(value: string) => {
            device.value = value;
          }}
        />
      )}
      {problem !== undefined && <p role="alert">{problem}</p>}
      <div class="dialog-actions">
        <Button look="record-start" run={start}>
          Start recording
        </Button>
      </div>
    </>
  );
}

type RunningProps = { recorder: Recorder; isPaused: boolean; pause: () => void; stop: () => Promise<void> };

function Running({ recorder, isPaused, pause, stop }: RunningProps) {
  const level = useSignal(0);
  const seconds = useSignal(0);
  const isTooLoud = useSignal(false);
  useEffect(() => {
    let frame = requestAnimationFrame(function look() {
      level.value = recorder.level();
      seconds.value = Math.floor(recorder.seconds());
      if (level.peek() >= TOO_LOUD) isTooLoud.value = true;
      frame = requestAnimationFrame(look);
    });
    return () => cancelAnimationFrame(frame);
  }, [recorder]);
  return (
    <>
      <p class="record-time" role="timer" aria-label="Recorded">
        {clock(seconds.value)}
      </p>
      <meter
        class="record-level"
        aria-label="Level"
        min={0}
        max={1}
        high={0.9}
        optimum={0.5}
        value={level.value}
      />
      <p class="soft" role="status">
        {isPaused ? "Paused" : "Recording"}
      </p>
      {isTooLoud.value && <p role="alert">Peaks were cut: it is too loud. Turn the input down.</p>}
      <div class="dialog-actions">
        <Button look="secondary" run={pause}>
          {isPaused ? "Go on" : "Pause"}
        </Button>
        <Button run={stop}>Stop</Button>
      </div>
    </>
  );
}

type DoneProps = { recording: Recording; address: string; again: () => Promise<void>; onClose: () => void };

function Done({ recording, address, again, onClose }: DoneProps) {
  const name = useSignal(recording.name);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return (
    <form
      class="form"
      onSubmit={async (event) => {
        event.preventDefault();
        const named = { ...recording, name: fileName(name.peek()) || recording.name };
        await keepName(named);
        onClose();
        await addRecording(named);
      }}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: what was just recorded has none */}
      <audio class="record-listen" controls src={address} aria-label="What was recorded" />
      <Field
        label="Name"
        value={name.value}
        maxLength={MAX_NAME}
        onInput={({ currentTarget }) => {
          name.value = currentTarget.value;
        }}
      />
      <div class="dialog-actions">
        <Button look="quiet" run={again}>
          Record again
        </Button>
        <button type="submit" class="button">
          Add to the library
        </button>
      </div>
    </form>
  );
}

/** A name that is a file's everywhere. */
const fileName = (text: string) => text.trim().replace(/[/\\:*?"<>|]/g, "-");
