/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { MAX_ALBUM_LINE, MAX_PLAYLIST_NAME } from "../../../../modules/library/playlists/shapes.ts";
import { type AnswerOf, useQuery } from "../../api/queries.ts";
import { clock } from "../../player/time.ts";
import { type Card, factsQuery } from "../../playlists/types.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { Field, SelectField } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { tenths } from "../../ui/numbers.ts";
import { typed, type Wrong } from "../../ui/use-form.ts";
import { countOf } from "./covers.tsx";
import { save } from "./save.ts";

type Facts = AnswerOf<"/app/playlists/{playlistId}/facts">["data"];

const TYPES = { album: "Album", ep: "EP", single: "Single", compilation: "Compilation" } as const;
const TYPE_OPTIONS = (Object.keys(TYPES) as (keyof typeof TYPES)[]).map((value) => ({
  value,
  name: TYPES[value],
}));

/** Who made the album, what kind it is, and how it is released. */
export function AlbumLine({ card, isFixed }: { card: Card; isFixed: boolean }) {
  const { artist, type, releaseDate, label, catalogueNumber, upc } = card;
  const words = [TYPES[type ?? "album"], releaseDate, label, catalogueNumber, upc && `UPC ${upc}`];
  return (
    <div class="album-line">
      {artist !== null && <p class="album-artist">{artist}</p>}
      <p class="soft">
        {words.filter(Boolean).join(" · ")}
        {!isFixed && (
          <button type="button" class="link-button" onClick={() => openAlbumDetails(card)}>
            Edit details
          </button>
        )}
      </p>
    </div>
  );
}

/** What the songs add up to, and which numbers are missing. */
export function AlbumFacts({ card }: { card: Card }) {
  const facts = useQuery(factsQuery(card.id)).data?.data;
  if (!facts) return <p class="soft playlist-facts">{countOf(card.trackCount)}</p>;
  const { tracks, durationSec, loudness } = facts;
  const words = [countOf(tracks), durationSec > 0 && clock(durationSec), ...loudnessWords(loudness)];
  const gaps = gapsOf(facts);
  return (
    <>
      <p class="soft playlist-facts">{words.filter(Boolean).join(" · ")}</p>
      {gaps.length > 0 && (
        <ul class="album-gaps" aria-label="Numbering">
          {gaps.map((gap) => (
            <li key={gap}>{gap}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function loudnessWords({ integratedLufs, spreadLu }: Facts["loudness"]): string[] {
  if (integratedLufs === null) return [];
  const whole = `${tenths(integratedLufs)} LUFS as a whole`;
  return spreadLu === null || spreadLu === 0
    ? [whole]
    : [whole, `${spreadLu} LU between quietest and loudest`];
}

/** Returns a sentence for each fault in the numbers of the songs. Without any number there is nothing to miss. */
function gapsOf({ discs, tracks, unnumbered }: Facts): string[] {
  if (unnumbered === tracks) return [];
  const sentences = discs.flatMap(({ disc, missing, doubled }) => {
    const where = disc !== null && discs.length > 1 ? ` on disc ${disc}` : "";
    return [
      missing.length > 0 && `${numbers(missing)} ${missing.length === 1 ? "is" : "are"} missing${where}.`,
      doubled.length > 0 && `${numbers(doubled)} ${doubled.length === 1 ? "is" : "are"} there twice${where}.`,
    ];
  });
  const bare =
    unnumbered > 0 && `${unnumbered === 1 ? "1 song has" : `${unnumbered} songs have`} no track number.`;
  return [...sentences, bare].filter((sentence) => sentence !== false);
}

/** Returns "Number 3", or "Numbers 4 to 6 and 9". */
function numbers(all: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const number of all) {
    const run = runs.at(-1);
    if (run && run[1] === number - 1) run[1] = number;
    else runs.push([number, number]);
  }
  const parts = runs.flatMap(([first, last]) =>
    last - first < 2 ? [...new Set([first, last])].map(String) : [`${first} to ${last}`],
  );
  const last = parts.pop() ?? "";
  return `${all.length === 1 ? "Number" : "Numbers"} ${parts.length > 0 ? `${parts.join(", ")} and ${last}` : last}`;
}

/** Opens the dialog with what an album says of itself. */
export function openAlbumDetails(card: Card): void {
  showDialog((close) => <DetailsDialog card={card} onClose={close} />);
}

function DetailsDialog({ card, onClose }: { card: Card; onClose: () => void }) {
  const fields = {
    name: useSignal(card.name),
    artist: useSignal(card.artist ?? ""),
    label: useSignal(card.label ?? ""),
    catalogueNumber: useSignal(card.catalogueNumber ?? ""),
    releaseDate: useSignal(card.releaseDate ?? ""),
    upc: useSignal(card.upc ?? ""),
  };
  const type = useSignal(card.type ?? "album");
  const send = () => {
    const { name, ...others } = Object.fromEntries(
      Object.entries(fields).map(([field, { value }]) => [field, value.trim()]),
    );
    const cleared = Object.fromEntries(Object.entries(others).map(([field, text]) => [field, text || null]));
    return save(card, { name: name ?? "", ...cleared, type: type.value });
  };
  const text = (wrong: Wrong, field: keyof typeof fields, label: string, hint?: string) => (
    <Field
      label={label}
      maxLength={field === "name" ? MAX_PLAYLIST_NAME : MAX_ALBUM_LINE}
      {...typed(fields[field])}
      error={wrong[field]}
      {...(hint !== undefined && { hint })}
    />
  );
  return (
    <FormDialog label="Album details" verb="Save" onClose={onClose} send={send}>
      {(wrong) => (
        <>
          {text(wrong, "name", "Title")}
          {text(wrong, "artist", "Artist")}
          <SelectField
            label="Type"
            value={type.value}
            options={TYPE_OPTIONS}
            onChange={(chosen) => {
              type.value = chosen;
            }}
          />
          {text(wrong, "label", "Label")}
          {text(wrong, "catalogueNumber", "Catalogue number")}
          {text(
            wrong,
            "releaseDate",
            "Release date",
            "A day, a month or a year: 2026-03-27, 2026-03 or 2026",
          )}
          {text(wrong, "upc", "UPC or EAN", "12 or 13 digits; the last one is checked")}
        </>
      )}
    </FormDialog>
  );
}
