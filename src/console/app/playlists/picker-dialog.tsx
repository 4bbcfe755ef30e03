/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { api, dataOf } from "../api/client.ts";
import { sentenceOf } from "../api/errors.ts";
import { canChange } from "../api/library.ts";
import { usePages } from "../api/pages.ts";
import { changed } from "../api/queries.ts";
import { Combobox, type Option } from "../ui/combobox.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Refusal } from "../ui/field.tsx";
import { toast } from "../ui/toast.tsx";
import { type Addition, addTo, alreadyIn } from "./change.ts";
import { Duplicates } from "./duplicates.tsx";
import { type Card, cardsQuery } from "./types.ts";

const MAX_OPTIONS = 50;
const CREATE = "create";

type Target = { id: string; name: string };
/** A playlist, and which of the tracks it has already. */
type Chosen = { target: Target; twice: readonly Addition[] };
type Props = { tracks: readonly Addition[]; chosen?: Chosen; onClose: () => void };

/** Chooses a playlist for tracks, or makes one. What it has already is told first. */
export function PickerDialog({ tracks, chosen, onClose }: Props) {
  const typed = useSignal("");
  const problem = useSignal<string | undefined>(undefined);
  const asked = useSignal(chosen);
  const { items = [] } = usePages(cardsQuery());
  const ours = items.filter(canChange);

  const trying = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (thrown) {
      problem.value = sentenceOf(thrown);
    }
  };
  const add = (target: Target, added: readonly Addition[], isUndoable: boolean) =>
    trying(async () => {
      await addTo(target, added, isUndoable);
      onClose();
    });
  const choose = (option: Option) =>
    trying(async () => {
      if (option.id === CREATE) {
        await create(typed.value.trim(), tracks);
        return onClose();
      }
      const target = { id: option.id, name: option.text };
      const twice = await alreadyIn(target.id, tracks);
      if (twice.length > 0) asked.value = { target, twice };
      else await add(target, tracks, true);
    });
  const others = tracks.filter(({ id }) => !asked.value?.twice.some((each) => each.id === id));
  return (
    <Dialog label="Add to playlist" onClose={onClose}>
      {asked.value ? (
        <Duplicates
          twice={asked.value.twice}
          others={others}
          playlist={asked.value.target.name}
          onAdd={(which) => {
            if (asked.value)
              void add(asked.value.target, which === "all" ? tracks : others, which === "others");
          }}
        />
      ) : (
        <>
          <p class="soft">{tracks.length === 1 ? tracks[0]?.title : `${tracks.length} tracks`}</p>
          <Combobox
            label="Playlist"
            isInline
            autofocus
            placeholder="Find a playlist, or name a new one"
            text={typed}
            options={optionsOf(ours, typed.value)}
            onChoose={(option) => void choose(option)}
          />
        </>
      )}
      <Refusal sentence={problem.value} />
    </Dialog>
  );
}

function optionsOf(cards: readonly Card[], typed: string): Option[] {
  const text = typed.trim();
  const found = cards
    .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    .toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
    .slice(0, MAX_OPTIONS)
    .map(({ id, name, trackCount }): Option => ({ id, text: name, hint: String(trackCount) }));
  const isKnown = cards.some(({ name }) => name.toLowerCase() === text.toLowerCase());
  return text === "" || isKnown ? found : [...found, { id: CREATE, text: `Create “${text}”` }];
}

async function create(name: string, tracks: readonly Addition[]): Promise<void> {
  const body = { name, trackIds: tracks.map(({ id }) => id) };
  await dataOf(api.POST("/app/playlists", { body }));
  changed("playlists", null);
  toast(`Added to ${name}`);
}
