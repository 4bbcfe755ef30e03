/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { clock } from "../../../../pages/waveform.ts";
import { api, dataOf } from "../../api/client.ts";
import { changed, optimistically, useQuery } from "../../api/queries.ts";
import { addToQueue, play, playNext } from "../../player/player.ts";
import { type Card, cardQuery, type Row, rowsQuery } from "../../playlists/types.ts";
import { openShare } from "../../share/open.tsx";
import { tooltip } from "../../ui/actions.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { EditInPlace } from "../../ui/edit-in-place.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useActions, useCommands } from "../../ui/keys.ts";
import { MenuButton } from "../../ui/menu.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type ScreenProps, useHeading } from "../../ui/screen.tsx";
import { toastError } from "../../ui/toast.tsx";
import { AddTracksDialog } from "./add-tracks-dialog.tsx";
import { Covers, countOf } from "./covers.tsx";
import { deletePlaylist } from "./delete.ts";
import { loudnessOf, saveList } from "./facts.ts";
import { TracksGrid } from "./tracks-grid.tsx";
import "./playlists.css";

/** One playlist: its head, and its tracks in their order. */
export default function PlaylistScreen({ params: { playlistId = "" } }: ScreenProps) {
  const card = useQuery(cardQuery(playlistId));
  const rows = useQuery(rowsQuery(playlistId));
  const error = card.error ?? rows.error;
  if (error && !card.data)
    return <Problem error={error} onRetry={() => void Promise.all([card.refetch(), rows.refetch()])} />;
  if (!card.data) return null;
  return (
    <div class="screen playlist">
      <Head card={card.data.data} rows={rows.data?.data ?? []} />
      {error && <Problem error={error} onRetry={() => void rows.refetch()} />}
      {rows.data?.data.length === 0 && (
        <Empty heading="Nothing in it yet">
          <p class="soft">Add tracks here, or press A on a track anywhere in the library.</p>
        </Empty>
      )}
      {rows.data && rows.data.data.length > 0 && (
        <TracksGrid playlist={card.data.data} rows={rows.data.data} />
      )}
    </div>
  );
}

/** Where the player finds the list again. */
const sourceOf = (id: string) => ({ key: `/library/playlists/${id}` });

function Head({ card, rows }: { card: Card; rows: readonly Row[] }) {
  const { id, name } = card;
  const isNaming = useSignal(false);
  const share = () => openShare([{ entity: "playlist", id, title: name }]);
  const add = () => showDialog((close) => <AddTracksDialog playlist={card} onClose={close} />);
  const playAll = () => play({ tracks: rows, index: 0, source: sourceOf(id) });
  useActions(
    {
      share,
      rename: () => {
        isNaming.value = true;
      },
    },
    { share: `Share ${name}`, rename: `Rename ${name}` },
  );
  useCommands([
    { id: "add-tracks", name: `Add tracks to ${name}`, run: add },
    ...(rows.length > 0 ? [{ id: "play-all", name: `Play ${name}`, run: playAll }] : []),
  ]);
  return (
    <header class="playlist-head">
      <Covers id={id} covers={card.covers} />
      <div class="playlist-words">
        <Name card={card} isNaming={isNaming} />
        <Description card={card} />
        <p class="soft playlist-facts">{factsOf(rows, card)}</p>
        <div class="playlist-tools">
          <button type="button" class="button" disabled={rows.length === 0} onClick={playAll}>
            <Icon name="play" />
            Play all
          </button>
          <button
            type="button"
            class="button secondary"
            title={tooltip("share")}
            onClick={() => void share()}
          >
            <Icon name="share" />
            Share
          </button>
          <button type="button" class="button secondary" onClick={add}>
            <Icon name="add" />
            Add tracks
          </button>
          <MenuButton
            label="More actions"
            items={() => [
              { name: "Play next", isDisabled: rows.length === 0, run: () => playNext(rows) },
              { name: "Add to queue", isDisabled: rows.length === 0, run: () => addToQueue(rows) },
              { name: "Download list", isDisabled: rows.length === 0, run: () => saveList(name, rows) },
              null,
              { name: "Delete playlist", isDanger: true, run: () => deletePlaylist(card) },
            ]}
          >
            <Icon name="more" />
          </MenuButton>
        </div>
      </div>
    </header>
  );
}

function factsOf(rows: readonly Row[], { trackCount }: Card): string {
  const seconds = rows.reduce((sum, { durationSec }) => sum + (durationSec ?? 0), 0);
  const loudness = loudnessOf(rows);
  return [countOf(Math.max(trackCount, rows.length)), seconds > 0 && clock(seconds), loudness]
    .filter(Boolean)
    .join(" · ");
}

function Name({ card, isNaming }: { card: Card; isNaming: Signal<boolean> }) {
  const heading = useHeading(card.name);
  return (
    <EditInPlace
      label="Name"
      text={card.name}
      isOpen={isNaming}
      maxLength={120}
      tooltip={tooltip("rename", "Edit name")}
      onSave={(name) => name !== "" && void save(card, { name })}
    >
      <h1 ref={heading} tabIndex={-1}>
        {card.name}
      </h1>
    </EditInPlace>
  );
}

function Description({ card }: { card: Card }) {
  const isOpen = useSignal(false);
  return (
    <EditInPlace
      label="Description"
      text={card.description ?? ""}
      isOpen={isOpen}
      maxLength={2000}
      isLong
      onSave={(description) => void save(card, { description: description || null })}
    >
      <p class="playlist-description">{card.description ?? <span class="soft">No description</span>}</p>
    </EditInPlace>
  );
}

/** Shows the new words at once. */
async function save(card: Card, change: { name?: string; description?: string | null }): Promise<void> {
  const params = { path: { playlistId: card.id } };
  try {
    await optimistically(
      cardQuery(card.id),
      (answer) => ({ ...answer, data: { ...answer.data, ...change } }),
      () => dataOf(api.PATCH("/app/library/playlists/{playlistId}", { params, body: change })),
    );
    changed("playlists", [card.id]);
  } catch (thrown) {
    toastError(thrown);
  }
}
