/** @jsxRuntime automatic @jsxImportSource preact */
import { MUSIC_KEYS } from "../../ui/music-keys.ts";
import "./forms.css";
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ApiError } from "../../api/errors.ts";
import { wantedSentence } from "../../api/field-words.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { KeptField, type KeptFieldProps, useKeptFields } from "../../ui/kept-field.tsx";
import { TheirChange, useTheirs } from "../../ui/theirs.tsx";
import { writeDetails } from "./changes.ts";
import { isIsrc } from "./isrc.ts";
import type { Details, Track } from "./queries.ts";

export type Name =
  | "album"
  | "year"
  | "isrc"
  | "recordLabel"
  | "composer"
  | "language"
  | "lyrics"
  | "notes"
  | "bpm"
  | "key";

export const FIELDS: readonly { name: Name; label: string }[] = [
  { name: "album", label: "Album" },
  { name: "year", label: "Year" },
  { name: "isrc", label: "ISRC" },
  { name: "recordLabel", label: "Label" },
  { name: "composer", label: "Composer (text)" },
  { name: "language", label: "Language" },
];
export const LONG: readonly { name: Name; label: string }[] = [
  { name: "lyrics", label: "Lyrics" },
  { name: "notes", label: "Notes" },
];

/** The details of the track. Each field is saved when it is left. */
export function DetailsForm({ track }: { track: Track }) {
  const { kept, said } = useKeptFields<Name>(
    track.id,
    (name) => String(track.audio_profile[name] ?? ""),
    async (name, text) => {
      const value = text || null;
      const problem = problemOf(name, value);
      if (problem !== undefined) throw new ApiError(0, "unreadable", problem);
      const written = name === "bpm" && value !== null ? Number(value) : value;
      await writeDetails(track.id, { [name]: written } as Details);
    },
  );
  return (
    <div class="details">
      <div class="details-grid">
        {FIELDS.map(({ name, label }) => (
          <KeptField key={name} label={label} {...kept(name)} />
        ))}
        <KeptField label="BPM" type="number" {...kept("bpm")} />
        <KeyField {...kept("key")} />
      </div>
      {LONG.map(({ name, label }) => (
        <KeptField key={name} isLong label={label} {...kept(name)} />
      ))}
      <p class="details-said soft" role="status">
        {said}
      </p>
    </div>
  );
}

function problemOf(name: Name, value: string | null): string | undefined {
  if (value === null) return undefined;
  if (name === "isrc" && !isIsrc(value))
    return "An ISRC has two letters, three letters or digits, and seven digits: DE-AB1-26-00042.";
  if (name === "bpm" && !(Number(value) > 0 && Number(value) < 1000)) return wantedSentence("bpm");
  return undefined;
}

function KeyField({
  field,
  text,
  error,
  onSave,
}: Pick<KeptFieldProps, "field" | "text" | "error" | "onSave">) {
  const shown = useSignal(text);
  /** What the track had when the field last showed that. The field differs from it while something was typed. */
  const had = useRef(text);
  const isTyped = shown.value !== had.current;
  const { name } = useTheirs({ field, text, typed: isTyped ? shown.value : undefined });
  const save = async (key: string) => {
    // Who types nothing new overwrites nothing.
    if (key === had.current) return;
    if ((await onSave(key)) && shown.peek() === key) had.current = key;
  };
  useLayoutEffect(() => {
    if (shown.peek() !== had.current) return;
    shown.value = text;
    had.current = text;
  }, [text, shown]);
  const sought = shown.value.trim().toLowerCase();
  const options = MUSIC_KEYS.filter(
    (key) => sought === text.toLowerCase() || key.toLowerCase().startsWith(sought),
  );
  return (
    <div>
      <Combobox
        label="Key"
        text={shown}
        options={options.map((key) => ({ id: key.replace(/\W/g, "-"), text: key }))}
        onEnter={save}
        onLeave={save}
        onChoose={({ text: key }) => {
          shown.value = key;
          void save(key);
        }}
        error={error}
      />
      {name !== undefined && (
        <TheirChange
          name={name}
          text={text}
          onTake={() => {
            shown.value = text;
            had.current = text;
          }}
          onLeave={() => void save(shown.peek())}
        />
      )}
    </div>
  );
}
