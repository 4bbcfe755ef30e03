/** @jsxRuntime automatic @jsxImportSource preact */
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { leftOutInWords } from "./dropped.ts";
import {
  clearDone,
  isPaused,
  isTrayOpen,
  leftOut,
  pause,
  remove,
  resume,
  retry,
  summary,
  type Upload,
  uploads,
} from "./queue.ts";
import "./uploads.css";

const MAX_SHOWN = 200;

/** What is being sent, at the lower right; it goes on whatever screen shows. */
export function UploadTray() {
  if (uploads.value.length === 0 && leftOut.value.length === 0) return null;
  if (!isTrayOpen.value) return <Ring />;
  return (
    <section class="tray" aria-label="Uploads">
      <header class="tray-head">
        <Summary />
        <PauseButton />
        <button
          type="button"
          class="icon-button"
          aria-label="Hide uploads"
          onClick={() => {
            isTrayOpen.value = false;
            if (summary.value.open === 0) clearDone();
          }}
        >
          <Icon name="down" />
        </button>
      </header>
      <UploadList />
    </section>
  );
}

/** "3 of 10 uploaded" */
function Summary() {
  const { done, all } = summary.value;
  return (
    <p role="status" class="tray-summary">
      {done} of {all} uploaded
    </p>
  );
}

function PauseButton() {
  if (summary.value.open === 0) return null;
  return (
    <button type="button" class="button quiet small" onClick={isPaused.value ? resume : pause}>
      {isPaused.value ? "Resume" : "Pause"}
    </button>
  );
}

/** The tray while it is hidden. */
function Ring() {
  const { open, share } = summary.value;
  if (open === 0) return null;
  return (
    <button
      type="button"
      class="tray-ring"
      aria-label="Show uploads"
      onClick={() => {
        isTrayOpen.value = true;
      }}
    >
      {Math.round(share * 100)} %
    </button>
  );
}

/** The files, those that need attention first. */
export function UploadList() {
  const order = ["failed", "sending", "waiting", "paused", "done"];
  const all = [...uploads.value].sort(
    (left, right) => order.indexOf(left.state) - order.indexOf(right.state),
  );
  return (
    <>
      <ul class="tray-list" aria-label="Files">
        {all.slice(0, MAX_SHOWN).map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </ul>
      {all.length > MAX_SHOWN && <p class="soft tray-more">and {all.length - MAX_SHOWN} more</p>}
      {leftOut.value.length > 0 && (
        <button type="button" class="link-button tray-more" onClick={showLeftOut}>
          Left out: {leftOut.value.length} {leftOut.value.length === 1 ? "file" : "files"}
        </button>
      )}
    </>
  );
}

function showLeftOut(): void {
  showDialog((close) => (
    <Dialog label="Left out" onClose={close}>
      <p class="soft">These are not music by their names: {leftOutInWords(leftOut.value).join(", ")}.</p>
      <ul class="left-out">
        {leftOut.value.map(({ path }) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
    </Dialog>
  ));
}

function UploadLine({ upload }: { upload: Upload }) {
  const { id, file, path, state, sentBytes, reason } = upload;
  const percent = file.size === 0 ? 100 : Math.round((100 * sentBytes) / file.size);
  const words = {
    waiting: "Waiting",
    paused: "Waiting",
    sending: `${percent} %`,
    done: "Done",
    failed: `Failed: ${reason}`,
  }[state];
  return (
    <li class="tray-line" aria-label={path}>
      <span class="tray-name">{path}</span>
      <span class={`tray-state tray-${state}`}>{words}</span>
      {state === "sending" && <progress aria-label={file.name} max={100} value={percent} />}
      {state === "failed" && (
        <button type="button" class="link-button" aria-label={`Retry ${file.name}`} onClick={() => retry(id)}>
          Retry
        </button>
      )}
      {state !== "done" && (
        <button
          type="button"
          class="icon-button"
          aria-label={`Remove ${file.name}`}
          onClick={() => remove(id)}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
