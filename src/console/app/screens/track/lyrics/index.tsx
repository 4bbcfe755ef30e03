/** @jsxRuntime automatic @jsxImportSource preact */
import "./lyrics.css";
import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { can } from "../../../api/library.ts";
import { useQuery } from "../../../api/queries.ts";
import { Button } from "../../../ui/button.tsx";
import { FileInput } from "../../../ui/file-input.tsx";
import { KeptField, useKeptFields } from "../../../ui/kept-field.tsx";
import { MenuButton } from "../../../ui/menu.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { writeDetails } from "../changes.ts";
import type { Clock } from "../clock.ts";
import { type Lyrics, lyricsQuery, type SheetProps, type Version } from "../queries.ts";
import { play, toPlay } from "../sound.ts";
import { createDesk, type Desk } from "./desk.ts";
import { exportLyrics, importLyrics } from "./files.ts";
import { TimedLines } from "./lines.tsx";

type LyricsProps = SheetProps & { heard: Version | undefined; clock: Clock };

/** The words of the track, and when they are sung in the version that is heard. */
export default function LyricsTab(props: LyricsProps) {
  const { track, heard } = props;
  const { data, error, refetch, isPlaceholderData } = useQuery(
    heard ? lyricsQuery(track.id, heard.id) : null,
  );
  if (error && !data) return <Problem error={error} onRetry={refetch} />;
  if (!data || isPlaceholderData) return null;
  const lyrics = data.data;
  return can("update:tracks") ? (
    <Editor key={lyrics.versionId} {...props} lyrics={lyrics} />
  ) : (
    <Words lyrics={lyrics} />
  );
}

/** The words, for those who may not change them. */
function Words({ lyrics }: { lyrics: Lyrics }) {
  if (lyrics.lines.length === 0) return <p class="soft">This track has no lyrics yet.</p>;
  return (
    <p class="lyric-words" dir="auto">
      {lyrics.lyrics}
    </p>
  );
}

function Editor({ track, title, lyrics, clock }: LyricsProps & { lyrics: Lyrics }) {
  const desk = useMemo(() => createDesk(lyrics), []);
  const mode = useSignal<"words" | "times">(lyrics.lines.length === 0 ? "words" : "times");
  useEffect(() => desk.take(lyrics), [lyrics, desk]);
  useEffect(() => () => void desk.flush(), [desk]);
  const shown = lyrics.lines.length === 0 ? "words" : mode.value;
  return (
    <div class="lyrics">
      <div class="lyrics-head">
        <Segments
          label="Lyrics as"
          options={[
            { value: "times", name: "Times", isDisabled: lyrics.lines.length === 0 },
            { value: "words", name: "Words" },
          ]}
          current={shown}
          onChange={(next) => {
            void desk.flush();
            mode.value = next;
          }}
        />
        <p class="soft lyrics-origin">{ORIGINS[lyrics.origin ?? "none"]}</p>
        <LyricsFiles lyrics={lyrics} onTaken={() => (mode.value = "times")} />
      </div>
      <Theirs desk={desk} />
      {shown === "words" ? (
        <WordsField trackId={track.id} text={lyrics.lyrics ?? ""} />
      ) : (
        <>
          <TimedLines
            desk={desk}
            positionSec={clock.positionSec}
            isPlaying={clock.isPlaying}
            nowSec={clock.nowSec}
            playFrom={(sec) => play(toPlay(track, title, lyrics.versionId), sec)}
          />
          <p class="soft" role="status">
            {desk.said}
          </p>
        </>
      )}
    </div>
  );
}

const ORIGINS = {
  none: "No line has a time yet",
  written: "",
  file: "Times from the tags of the file",
  carried: "Times carried from another version",
} as const;

function WordsField({ trackId, text }: { trackId: string; text: string }) {
  const { kept, said } = useKeptFields<"lyrics">(
    trackId,
    () => text,
    (_, words) => writeDetails(trackId, { lyrics: words || null }),
  );
  return (
    <>
      <KeptField
        isLong
        label="Words"
        hint="One line per line, a blank line between stanzas. Lines that stay keep their times."
        {...kept("lyrics")}
      />
      <p class="soft" role="status">
        {said}
      </p>
    </>
  );
}

function LyricsFiles({ lyrics, onTaken }: { lyrics: Lyrics; onTaken: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const isEmpty = lyrics.lines.length === 0;
  return (
    <div class="lyrics-files">
      <FileInput
        label="LRC or text file"
        inputRef={input}
        accept=".lrc,.txt"
        take={async ([file]) => {
          if (file) await importLyrics(lyrics, file, lyrics);
          onTaken();
        }}
      />
      <Button look="secondary small" run={() => input.current?.click()}>
        Import…
      </Button>
      <MenuButton
        label="Export lyrics"
        class="icon-button"
        items={() => [
          { name: "LRC, with times", isDisabled: isEmpty, run: () => exportLyrics(lyrics, "lrc") },
          { name: "Plain text", isDisabled: isEmpty, run: () => exportLyrics(lyrics, "txt") },
        ]}
      />
    </div>
  );
}

/** Says that somebody else wrote meanwhile. What was made here waits. */
function Theirs({ desk }: { desk: Desk }) {
  const theirs = desk.theirs.value;
  return (
    <div role="status">
      {theirs && (
        <p class="lyrics-theirs">
          {theirs.name} changed the lyrics meanwhile. Your times are not saved.{" "}
          <Button look="secondary small" run={() => desk.settle("theirs")}>
            Take theirs
          </Button>{" "}
          <Button look="quiet small" run={() => desk.settle("mine")}>
            Keep mine
          </Button>
        </p>
      )}
    </div>
  );
}
