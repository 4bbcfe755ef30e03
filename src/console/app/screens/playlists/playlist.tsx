/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { download } from "../../actions/download.ts";
import { api, dataOf } from "../../api/client.ts";
import { emptyField } from "../../api/errors.ts";
import { changed, optimistically, useQuery } from "../../api/queries.ts";
import { addToQueue, play, playNext } from "../../player/player.ts";
import { clock } from "../../player/time.ts";
import { type Card, cardQuery, type Row, rowsQuery } from "../../playlists/types.ts";
import { go } from "../../router.ts";
import { copyLink } from "../../share/copy.ts";
import { tooltip } from "../../ui/actions.ts";
import { showDialog } from "../../ui/dialog.tsx";
import { EditInPlace } from "../../ui/edit-in-place.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Switch } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useActions, useCommands } from "../../ui/keys.ts";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { Problem } from "../../ui/problem.tsx";
import { type ScreenProps, useHeading } from "../../ui/screen.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { AddTracksDialog } from "./add-tracks-dialog.tsx";
import { Covers, countOf } from "./covers.tsx";
import { deletePlaylist } from "./delete.ts";
import { loudnessOf, saveList } from "./facts.ts";
import { sharePlaylist, TracksGrid } from "./tracks-grid.tsx";
import "./playlists.css";

/** One playlist: its head, and its tracks in their order. */
export default function PlaylistScreen({ params: { playlistId = "" } }: ScreenProps) {
  const isNaming = useSignal(false);
  const card = useQuery(cardQuery(playlistId));
  const rows = useQuery(rowsQuery(playlistId));
  const error = card.error ?? rows.error;
  if (error && !card.data)
    return <Problem error={error} onRetry={() => void Promise.all([card.refetch(), rows.refetch()])} />;
  if (!card.data) return null;
  return (
    <div class="screen playlist">
      <Head card={card.data.data} rows={rows.data?.data ?? []} isNaming={isNaming} />
      {error && <Problem error={error} onRetry={() => void rows.refetch()} />}
      {rows.data?.data.length === 0 && (
        <Empty heading="Nothing in it yet">
          <p class="soft">Add tracks here, or press A on a track anywhere in the library.</p>
        </Empty>
      )}
      {rows.data && rows.data.data.length > 0 && (
        <TracksGrid
          playlist={card.data.data}
          rows={rows.data.data}
          onRename={() => {
            isNaming.value = true;
          }}
        />
      )}
    </div>
  );
}

/** Where the player finds the list again. */
const sourceOf = (id: string) => ({ key: `/library/playlists/${id}` });

type HeadProps = { card: Card; rows: readonly Row[]; isNaming: Signal<boolean> };

function Head({ card, rows, isNaming }: HeadProps) {
  const { id, name } = card;
  const share = () => sharePlaylist(card);
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
          <button type="button" class="button" aria-disabled={rows.length === 0} onClick={playAll}>
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
          <button
            type="button"
            class="button secondary"
            aria-disabled={rows.length === 0}
            onClick={() => go(likeThese(rows))}
          >
            <Icon name="more-like" />
            Sounds like these
          </button>
          <MenuButton label="More actions" items={() => menuOf(card, rows)}>
            <Icon name="more" />
          </MenuButton>
        </div>
        <PublicLink card={card} />
      </div>
    </header>
  );
}

/** Whether anyone with the link can listen. */
function PublicLink({ card }: { card: Card }) {
  const { publicUrl } = card;
  return (
    <div class="playlist-public">
      <Switch
        label="Anyone with the link can listen"
        {...(publicUrl === null && { hint: "Not shared: only people with a link of their own can open it." })}
        isOn={publicUrl !== null}
        onChange={(isPublic) => void publish(card, isPublic)}
      />
      {publicUrl !== null && (
        <button
          type="button"
          class="button quiet small"
          onClick={() => void copyLink({ url: publicUrl, recipient: null })}
        >
          <Icon name="copy" />
          Copy link
        </button>
      )}
    </div>
  );
}

async function publish({ id }: Card, isPublic: boolean): Promise<void> {
  const params = { path: { playlistId: id } };
  try {
    await dataOf(
      isPublic
        ? api.PUT("/app/playlists/{playlistId}/public", { params })
        : api.DELETE("/app/playlists/{playlistId}/public", { params }),
    );
    toast(isPublic ? "Anyone with the link can listen" : "Turned off: the link opens nothing now");
  } catch (thrown) {
    toastError(thrown);
  }
  changed("shares", null);
  changed("playlists", [id]);
}

function menuOf(card: Card, rows: readonly Row[]): MenuItem[] {
  const isDisabled = rows.length === 0;
  const where = { ids: [...new Set(rows.map(({ id }) => id))] };
  return [
    { name: "Play next", isDisabled, run: () => playNext(rows) },
    { name: "Add to queue", isDisabled, run: () => addToQueue(rows) },
    null,
    { name: card.isPinned ? "Unpin" : "Pin", run: () => pin(card) },
    { name: "Download list", isDisabled, run: () => saveList(card.name, rows) },
    {
      name: "Download tracks",
      isDisabled,
      run: () => download({ where, count: where.ids.length }, card.name),
    },
    null,
    { name: "Delete playlist", isDanger: true, run: () => deletePlaylist(card) },
  ];
}

/** So many tracks say what a list sounds like; they are taken from all over it. */
const MAX_SEEDS = 12;

/** The search for tracks that sound like those of a list. */
function likeThese(rows: readonly Row[]): string {
  const ids = [...new Set(rows.map(({ id }) => id))];
  const step = Math.max(1, ids.length / MAX_SEEDS);
  const seeds = Array.from(
    { length: Math.min(MAX_SEEDS, ids.length) },
    (_, at) => ids[Math.floor(at * step)],
  );
  return `/library/search?${new URLSearchParams({ like: seeds.join(",") })}`;
}

/** Pins a playlist to the front of the others, or lets it go; shown at once. */
async function pin({ id, isPinned }: Card): Promise<void> {
  const params = { path: { playlistId: id } };
  try {
    await optimistically(
      cardQuery(id),
      (answer) => ({ ...answer, data: { ...answer.data, isPinned: !isPinned } }),
      () =>
        dataOf(
          isPinned
            ? api.DELETE("/app/playlists/{playlistId}/pin", { params })
            : api.PUT("/app/playlists/{playlistId}/pin", { params }),
        ),
    );
    toast(isPinned ? "Unpinned" : "Pinned: it stands first");
  } catch (thrown) {
    toastError(thrown);
  }
  changed("playlists", null);
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
      onSave={async (name) => {
        if (name === "") throw emptyField("name");
        await save(card, { name });
      }}
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
      onSave={(description) => save(card, { description: description || null })}
    >
      <p class="playlist-description">{card.description ?? <span class="soft">No description</span>}</p>
    </EditInPlace>
  );
}

/** Shows the new words at once. @throws ApiError. */
async function save(card: Card, change: { name?: string; description?: string | null }): Promise<void> {
  const params = { path: { playlistId: card.id } };
  await optimistically(
    cardQuery(card.id),
    (answer) => ({ ...answer, data: { ...answer.data, ...change } }),
    () => dataOf(api.PATCH("/app/library/playlists/{playlistId}", { params, body: change })),
  );
  changed("playlists", [card.id]);
}
