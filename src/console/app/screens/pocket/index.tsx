/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { keepItems } from "../../actions/keep.ts";
import { openTrack, soundItems } from "../../actions/track-menu.ts";
import { comments, readComments } from "../../pocket/deliver.ts";
import { isApplePhone } from "../../pocket/device.ts";
import { shortage } from "../../pocket/download.ts";
import { device, lists, tracks } from "../../pocket/here.ts";
import { letAllGo, start, tryAgain } from "../../pocket/keeping.ts";
import { canKeep, keptShares, wanted, wantKey } from "../../pocket/kept.ts";
import { pocket } from "../../pocket/pocket.ts";
import { readRoom } from "../../pocket/room.ts";
import { KeptLists, KeptTracks, playRows, toPlayerTrack } from "../../pocket/rows.tsx";
import { inOrder, inOrderOf, sorted } from "../../pocket/shelf-order.ts";
import type { ListRow, TrackRow } from "../../pocket/store.ts";
import { isWorking, syncIn } from "../../pocket/sync.ts";
import { WaitingComments } from "../../pocket/waiting.tsx";
import { amountText, hiddenText, shortageText, stateText, upToDateText } from "../../pocket/words.ts";
import { go } from "../../router.ts";
import { Button } from "../../ui/button.tsx";
import { confirmFinal } from "../../ui/dialog.tsx";
import { Empty } from "../../ui/empty.tsx";
import type { MenuItem } from "../../ui/menu.tsx";
import { counted } from "../../ui/numbers.ts";
import { Screen } from "../../ui/screen.tsx";
import { attempt } from "../../ui/toast.tsx";

/** What this device keeps of the library, to be played without a connection. */
export default function PocketScreen() {
  const chosenId = useSignal<string | undefined>(undefined);
  useEffect(() => {
    if (!canKeep) return;
    attempt(async () => {
      // The player is told of what is kept with the part that keeps it.
      await pocket();
      await start();
      await readComments();
    });
  }, []);
  const rows = new Map(tracks.value.map((row) => [row.trackId, row]));
  const tracksOf = (list: ListRow) => inOrderOf(list, rows);
  const chosen = lists.value.find(({ id }) => id === chosenId.value);
  const shown = chosen ? tracksOf(chosen) : inOrder(lists.value, rows);
  return (
    <Screen
      heading="Pocket"
      tools={
        shown.some(({ sound }) => sound) && (
          <Button look="secondary" icon="play" run={() => playRows(chosen?.id ?? "", shown)}>
            Play all
          </Button>
        )
      }
    >
      <State />
      <WaitingComments rows={comments.value} onChange={readComments} />
      {lists.value.length > 0 && (
        <KeptLists
          lists={sorted(lists.value)}
          tracksOf={tracksOf}
          chosenId={chosen?.id}
          onChoose={(id) => {
            chosenId.value = id;
          }}
          menu={listMenu}
        />
      )}
      {shown.length > 0 && (
        <KeptTracks rows={shown} source={chosen?.id ?? ""} stateOf={stateOf} menu={trackMenu} />
      )}
      {device.value && (
        <p class="pocket-end">
          <Button look="quiet small" run={removeAll}>
            Remove all from this device
          </Button>
        </p>
      )}
    </Screen>
  );
}

/** How much there is, and how far it is. */
function State() {
  const roomBytes = useSignal<number | undefined>(undefined);
  const count = tracks.value.filter(({ sound }) => sound).length;
  useEffect(() => {
    void readRoom().then((bytes) => {
      roomBytes.value = bytes;
    });
  }, [count, roomBytes]);
  const own = device.value;
  if (!own) return <Nothing />;
  const total = tracks.value.length;
  return (
    <>
      {count > 0 && <p class="pocket-amount">{amountText(tracks.value, roomBytes.value)}</p>}
      <p role="status" class="pocket-status">
        {isWorking.value && count < total
          ? `Keeping ${count} of ${counted(total, "track")}.${isApplePhone() ? " Keep Dubplate open until this is done." : ""}`
          : own.syncedAt > 0 && upToDateText(own.deviceAt)}
      </p>
      {own.hidden && own.hidden.length > 0 && <p class="pocket-amount">{hiddenText(own.hidden)}</p>}
      {shortage.value && (
        <p role="alert" class="pocket-status is-warning">
          {shortageText(shortage.value)}
        </p>
      )}
    </>
  );
}

function Nothing() {
  return (
    <Empty heading="Nothing is kept on this device">
      <p class="soft">
        {canKeep
          ? "Choose “Keep on this device” in the menu of a track or a playlist. It then plays here without a connection."
          : "Keeping music on a device needs https."}
      </p>
    </Empty>
  );
}

const stateOf = ({ trackId, failures }: TrackRow): string =>
  stateText(keptShares.value.get(trackId) ?? 0, failures);

/** A list is removed as it was kept. */
const listMenu = ({ id, name }: ListRow): MenuItem[] => [
  { name: "Open", run: () => go(`/library/playlists/${id}`) },
  ...keepItems([{ entity: "playlist", id, name }]),
];

function trackMenu(row: TrackRow): MenuItem[] {
  const { trackId: id, title: name, sound, failures } = row;
  const own = { entity: "track", id, name } as const;
  return [
    { name: "Open", action: "open", run: () => openTrack({ id }, false) },
    ...(sound ? soundItems(toPlayerTrack(row)) : []),
    ...(failures > 0 && !sound ? [{ name: "Try again", run: () => askAgain(id) }] : []),
    // What a list keeps goes with the list.
    ...(wanted.peek().has(wantKey(own)) ? keepItems([own]) : []),
  ];
}

async function askAgain(id: string): Promise<void> {
  await tryAgain([id]);
  syncIn(0);
}

async function removeAll(): Promise<void> {
  const count = tracks.peek().length;
  const waiting = comments.peek().length;
  const isSure = await confirmFinal(
    `Remove ${counted(count, "track")} from this device?`,
    "Remove all",
    waiting > 0 ? `${counted(waiting, "comment")} that could not be sent will be lost.` : undefined,
  );
  if (isSure) await letAllGo();
}
