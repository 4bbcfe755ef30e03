/** @jsxRuntime automatic @jsxImportSource preact */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { sizeText } from "../../../pages/size.ts";
import { query, useQuery } from "../api/queries.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Dialog, showDialog } from "../ui/dialog.tsx";
import { counted } from "../ui/numbers.ts";
import { ArrivedAlbums, clearAlbums } from "./albums.tsx";
import { ChooseButtons, choosers } from "./choose.tsx";
import { leftOutInWords } from "./dropped.ts";
import { UploadLine } from "./line.tsx";
import { mixOffers, useMixOffers } from "./mixes.tsx";
import { decide } from "./offers.ts";
import { pause, resume } from "./queue.ts";
import {
  asking,
  clearDone,
  isPaused,
  isTrayOpen,
  leftOut,
  type Now,
  summary,
  type Upload,
  uploads,
  volume,
} from "./state.ts";
import "./uploads.css";

const MAX_SHOWN = 200;
/** So many lines are drawn in a frame. */
const PER_FRAME = 20;

/** The uploads in progress, at the lower right of every screen. */
export function UploadTray() {
  useMixOffers(useComputed(() => summary.value.done > 0).value);
  if (uploads.value.length === 0 && leftOut.value.length === 0) return null;
  if (!isTrayOpen.value) return <Ring />;
  return (
    <section class="tray" aria-label="Uploads">
      <header class="tray-head">
        <Summary />
        <PauseButton />
        <IconButton
          label="Hide uploads"
          icon="down"
          run={() => {
            isTrayOpen.value = false;
            if (summary.value.open > 0) return;
            clearDone();
            clearAlbums();
          }}
        />
      </header>
      <Missing />
      <Offers />
      <ArrivedAlbums />
      <UploadList />
    </section>
  );
}

/** "3 of 10 uploaded", and how fast it goes. */
function Summary() {
  const text = useComputed(() => {
    const { done, all } = summary.value;
    const waiting = asking.value.length;
    if (waiting === 0 || waiting < uploads.value.length) return `${done} of ${all} uploaded`;
    return waiting === 1 ? "1 file waits for your answer" : `${waiting} files wait for your answer`;
  });
  return (
    <div class="tray-summary">
      {/* "Messages" says it, at most once a second. */}
      <p role="status" aria-live="off">
        {text}
      </p>
      <Pace />
      <Analysing />
    </div>
  );
}

const ANALYSING = query(
  "/app/tracks",
  { query: { status: "pending,processing", limit: 1 } },
  { tracks: "all", analysis: "all" },
);

/** What goes on after the last file has arrived. */
function Analysing() {
  const hasArrived = useComputed(() => summary.value.done > 0 && summary.value.unsent === 0).value;
  const { data } = useQuery(hasArrived ? ANALYSING : null);
  const count = hasArrived ? (data?.paging.total ?? 0) : 0;
  if (count === 0) return null;
  return <p class="soft tray-pace">{count === 1 ? "1 track is" : `${count} tracks are`} being analysed</p>;
}

const SAMPLE_MS = 1000;
const SAMPLES = 6;

/** "4.2 MB/s, 3 min left", over the last seconds. */
function Pace() {
  const words = useSignal("");
  useEffect(() => {
    const sent: number[] = [];
    const timer = setInterval(() => {
      const { unsent } = summary.peek();
      const { bytes, sentBytes } = volume.peek();
      sent.push(sentBytes);
      if (sent.length > SAMPLES) sent.shift();
      const perSec = (sentBytes - (sent[0] ?? 0)) / Math.max(1, ((sent.length - 1) * SAMPLE_MS) / 1000);
      words.value =
        unsent === 0 || perSec <= 0 ? "" : `${sizeText(perSec)}/s, ${timeLeft((bytes - sentBytes) / perSec)}`;
    }, SAMPLE_MS);
    return () => clearInterval(timer);
  }, [words]);
  return <p class="soft tray-pace">{words}</p>;
}

function timeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s left`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min left` : `${Math.round(seconds / 360) / 10} h left`;
}

function PauseButton() {
  const isSending = useComputed(() => summary.value.unsent > 0);
  if (!isSending.value) return null;
  return (
    <Button look="quiet small" run={isPaused.value ? resume : pause}>
      {isPaused.value ? "Resume" : "Pause"}
    </Button>
  );
}

/** Asks once for everything that was on its way before a reload. */
function Missing() {
  const count = useCount("missing");
  if (count === 0) return null;
  return (
    <div class="tray-ask">
      <p>
        {count === 1 ? "1 file was" : `${count} files were`} on the way when the page closed. Choose{" "}
        {count === 1 ? "it" : "them"} again, and the upload resumes where it left off.
      </p>
      {choosers.value === 0 && <ChooseButtons isSmall />}
    </div>
  );
}

/** Answers for all files at once that look like versions of tracks. */
function Offers() {
  const count = useCount("asking");
  if (count < 2) return null;
  const decideAll = (isVersion: boolean) => {
    for (const upload of uploads.value) if (upload.state.value === "asking") decide(upload, isVersion);
  };
  return (
    <div class="tray-ask">
      <p>{count} files look like new versions of tracks.</p>
      <div class="choose">
        <Button look="small" run={() => decideAll(true)}>
          All as new versions
        </Button>
        <Button look="small secondary" run={() => decideAll(false)}>
          All as new tracks
        </Button>
      </div>
    </div>
  );
}

/** The files that wait for an answer, where the tray does not show them. */
export function WaitingFiles() {
  if (isTrayOpen.value || asking.value.length === 0) return null;
  return (
    <section class="waiting-files" aria-labelledby="waiting-heading">
      <h2 id="waiting-heading">New version or new track?</h2>
      <Offers />
      <ul aria-labelledby="waiting-heading">
        {asking.value.slice(0, MAX_SHOWN).map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function useCount(state: Now["state"]): number {
  return useComputed(() => uploads.value.filter((upload) => upload.state.value === state).length).value;
}

/** The tray while it is hidden. */
function Ring() {
  const words = useComputed(() => {
    if (summary.value.open === 0) return "";
    const { bytes, sentBytes } = volume.value;
    return `${Math.floor((100 * sentBytes) / Math.max(1, bytes))} %`;
  });
  if (words.value === "") return null;
  return (
    <button
      type="button"
      class="tray-ring"
      aria-label={`Show uploads: ${words.value}`}
      onClick={() => {
        isTrayOpen.value = true;
      }}
    >
      {words}
    </button>
  );
}

const ORDER: readonly (Now["state"] | "offered")[] = [
  "failed",
  "asking",
  "offered",
  "sending",
  "arrived",
  "missing",
  "waiting",
  "done",
];

/** The files, those that need attention first. */
export function UploadList() {
  const before = useRef<readonly Upload[]>([]);
  const limit = useSignal(PER_FRAME);
  const groups = useComputed(() => {
    const all = Map.groupBy(uploads.value, ({ state, about }) =>
      state.value === "done" && mixOffers.value.has(about.made?.trackId ?? "") ? "offered" : state.value,
    );
    const shown = ORDER.flatMap((state) => all.get(state) ?? []).slice(0, limit.value);
    // The same list while only bytes are counted: nothing but the line of the file is drawn again.
    const { current } = before;
    if (shown.length !== current.length || shown.some((upload, at) => upload !== current[at]))
      before.current = shown;
    return before.current;
  });
  const isWhole = groups.value.length < limit.value || limit.value >= MAX_SHOWN;
  useEffect(() => {
    if (isWhole) return;
    const frame = requestAnimationFrame(() => {
      limit.value += PER_FRAME;
    });
    return () => cancelAnimationFrame(frame);
  }, [isWhole, limit.value, limit]);
  const more = uploads.value.length - groups.value.length;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is scrolled by keys */}
      <ul class="tray-list" aria-label="Files" tabIndex={0}>
        {groups.value.map((upload) => (
          <UploadLine key={upload.id} upload={upload} />
        ))}
      </ul>
      {more > 0 && <p class="soft tray-more">and {more} more</p>}
      {leftOut.value.length > 0 && (
        <button type="button" class="link-button tray-more" onClick={showLeftOut}>
          Left out: {counted(leftOut.value.length, "file")}
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
