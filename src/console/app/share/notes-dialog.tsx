/** @jsxRuntime automatic @jsxImportSource preact */
import "./notes-dialog.css";
import { type Signal, useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { MarkersQuery } from "../../../modules/sharing/comments/marker-shapes.ts";
import { save } from "../actions/download.ts";
import { send } from "../api/client.ts";
import { errorOf } from "../api/errors.ts";
import { can } from "../api/library.ts";
import { hrefInside, root } from "../first-data.ts";
import { memory } from "../memory.ts";
import { Switch } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

/** A version whose notes are exported. */
export type NotedVersion = {
  id: string;
  /** What it is called. */
  label: string;
  /** The media type of its original. */
  type: string;
  /** The tempo that was measured on it. */
  bpm: number | null;
};

type Format = Exclude<MarkersQuery["format"], "tsv">;

const NAMES: Readonly<Record<Format, string>> = {
  reaper: "REAPER",
  audition: "Audition",
  audacity: "Audacity",
  midi: "Pro Tools, Logic, Cubase (MIDI)",
  wav: "WAV with cue points",
  csv: "Table (CSV)",
};
const FORMATS = Object.keys(NAMES) as Format[];
/** The form that was saved last, in the browser's memory. */
const LAST = "notes-format";

type Props = { trackId: string; version: NotedVersion; onClose: () => void };

/** Saves the notes on a version as a file that a workstation imports. */
export function NotesDialog({ trackId, version, onClose }: Props) {
  const closed = closedReason(version);
  const last = FORMATS.find((each) => each === memory.get(LAST));
  const format = useSignal<Format>(last === undefined || (last === "wav" && closed) ? "reaper" : last);
  const isAnsweredToo = useSignal(false);
  const hasSections = useSignal(false);
  const saveFile = async () => {
    const query = new URLSearchParams({
      format: format.value,
      state: isAnsweredToo.value ? "open,answered" : "open",
      ...(hasSections.value && { sections: "true" }),
    });
    const path = `/app/tracks/${trackId}/versions/${version.id}/notes?${query}`;
    await checkFile(path);
    memory.set(LAST, format.value);
    save(hrefInside(path));
  };
  return (
    <FormDialog
      label="Notes for your workstation"
      kind="notes-export"
      verb="Save"
      onClose={onClose}
      send={saveFile}
    >
      {() => (
        <>
          <p class="soft">The notes on {version.label}, at their times in it.</p>
          <FormatChoice format={format} version={version} closed={closed} />
          <Switch
            label="Answered notes too"
            isOn={isAnsweredToo.value}
            onChange={(isOn) => {
              isAnsweredToo.value = isOn;
            }}
          />
          <Switch
            label="Sections too, such as intro and chorus-like"
            isOn={hasSections.value}
            onChange={(isOn) => {
              hasSections.value = isOn;
            }}
          />
        </>
      )}
    </FormDialog>
  );
}

/** A download that fails says nothing: the reason is asked for first. @throws ApiError */
async function checkFile(path: string): Promise<void> {
  const asked = await send(new Request(root + path, { method: "HEAD" }));
  if (asked.ok) return;
  const answer = await send(new Request(root + path));
  if (!answer.ok) throw await errorOf(answer);
  await answer.body?.cancel();
}

/** Returns why there is no copy of the original; undefined when there is one. */
function closedReason({ label, type }: NotedVersion): string | undefined {
  if (type !== "audio/wav") return `The original of ${label} is not a WAV file.`;
  return can("download:originals") ? undefined : "Your role in this library gets no original files.";
}

type ChoiceProps = { format: Signal<Format>; version: NotedVersion; closed: string | undefined };

function FormatChoice({ format, version, closed }: ChoiceProps) {
  const id = useId();
  return (
    <div class="note-formats" role="radiogroup" aria-label="Format">
      {FORMATS.map((each) => {
        const reason = each === "wav" ? closed : undefined;
        return (
          <label key={each} class="note-format">
            <input
              type="radio"
              name={id}
              checked={format.value === each}
              autofocus={format.peek() === each}
              disabled={reason !== undefined}
              aria-labelledby={`${id}-${each}`}
              aria-describedby={`${id}-${each}-sentence`}
              onChange={() => {
                format.value = each;
              }}
            />
            <span id={`${id}-${each}`}>{NAMES[each]}</span>
            <span id={`${id}-${each}-sentence`} class="field-hint">
              {reason ?? sentenceFor(each, version)}
            </span>
          </label>
        );
      })}
    </div>
  );
}

/** Says how a file is imported. */
function sentenceFor(format: Format, { bpm }: NotedVersion): string {
  switch (format) {
    case "reaper":
      return "In the Region/Marker Manager, choose Import regions/markers.";
    case "audition":
      return "In the Markers panel, choose Import Markers.";
    case "audacity":
      return "Choose File > Import > Labels.";
    case "midi":
      return `Pro Tools: import it into a session without markers. Logic: open it as a project. The session must run at ${Math.round((bpm ?? 120) * 100) / 100} BPM.`;
    case "wav":
      return "A copy of the original with the notes in it: open it in Audition, Sound Forge, WaveLab or REAPER.";
    case "csv":
      return "Open it in a spreadsheet. It also has the notes on the whole track.";
  }
}
