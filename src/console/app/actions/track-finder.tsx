/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { trackTitle } from "../../shared/names.ts";
import { query, useQuery } from "../api/queries.ts";
import { Combobox } from "../ui/combobox.tsx";

const MAX_OPTIONS = 20;

/** A track of the library that was found. */
export type FoundTrack = { id: string; title: string };

type FinderProps = {
  label?: string;
  /** What is said when nothing is called like this. */
  nothing?: string;
  /** What was typed, where whoever shows the field writes it too. */
  typed?: Signal<string>;
  isLeftOut: (trackId: string) => boolean;
  onChoose: (found: FoundTrack) => unknown;
  onBackspace?: () => void;
};

/** A field that finds tracks of the library by title or artist. */
export function TrackFinder({
  label = "Track",
  nothing = "No tracks match.",
  typed,
  isLeftOut,
  onChoose,
  onBackspace,
}: FinderProps) {
  const own = useSignal("");
  const text = typed ?? own;
  const q = text.value.trim();
  const { data } = useQuery(
    query("/app/tracks", { query: { limit: MAX_OPTIONS, ...(q !== "" && { q }) } }, { tracks: "all" }),
  );
  const options = (data?.data ?? [])
    .filter(({ id }) => !isLeftOut(id))
    .map(({ id, title, name, artist }) => ({
      id,
      text: trackTitle({ title: title === name ? null : title, name }),
      hint: artist ?? "",
    }));
  return (
    <Combobox
      label={label}
      isInline
      autofocus
      placeholder="Title or artist"
      nothing={nothing}
      text={text}
      options={options}
      onChoose={({ id, text: title }) => onChoose({ id, title })}
      {...(onBackspace && { onBackspace })}
    />
  );
}
