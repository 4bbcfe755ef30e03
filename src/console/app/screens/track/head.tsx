/** @jsxRuntime automatic @jsxImportSource preact */
import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { MAX_LINE } from "../../../../modules/library/tracks/shapes.ts";
import { deleteTracks, these } from "../../actions/bulk.ts";
import { deliverTracks } from "../../actions/deliver.ts";
import { libraryItems, type MenuTrack, shareTracks, soundItems } from "../../actions/track-menu.ts";
import { can } from "../../api/library.ts";
import { playNext } from "../../player/player.ts";
import { openPicker } from "../../playlists/open.tsx";
import { close, go, place } from "../../router.ts";
import { tooltip } from "../../ui/actions.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { CoverEdit } from "../../ui/cover-edit.tsx";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { EditInPlace } from "../../ui/edit-in-place.tsx";
import { FileInput } from "../../ui/file-input.tsx";
import { useActions } from "../../ui/keys.ts";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { useHeading } from "../../ui/screen.tsx";
import { attempt, toast } from "../../ui/toast.tsx";
import { writeDetails } from "./changes.ts";
import type { Clock } from "./clock.ts";
import { Facts } from "./facts.tsx";
import { drawCover, type Files } from "./files.tsx";
import type { SheetProps } from "./queries.ts";
import { pause, play, toPlay } from "./sound.ts";

type HeadProps = SheetProps & { clock: Clock; files: Files; isPanel: boolean };

/** Cover, names, facts, and the actions for the whole track. */
export function Head({ track, title, versions, clock, files, isPanel }: HeadProps) {
  const active = versions.find((version) => version.active);
  const isNaming = useSignal(false);
  const rename = () => {
    isNaming.value = true;
  };
  const toggle = () => {
    if (clock.isPlaying.peek()) pause();
    else if (active) play(toPlay(track, title, active.id), clock.positionSec.peek());
  };
  const asTrack: MenuTrack = {
    id: track.id,
    title,
    artist: track.audio_profile.artist,
    cover: track.audio_profile.cover,
    visible: track.visible,
  };
  const share = () => shareTracks([asTrack]);
  const remove = async () => {
    if (await deleteTracks(these([asTrack]))) close("/library");
  };
  const picker = useRef<HTMLInputElement>(null);
  const isOurs = can("update:tracks");
  useActions({
    playPause: toggle,
    share,
    ...(isOurs && { remove, rename, deliver: () => deliverTracks([asTrack]) }),
    addToPlaylist: () => openPicker([asTrack]),
    playNext: () => playNext([asTrack]),
    back: step(clock, -5),
    forward: step(clock, 5),
  });
  const menu = (): MenuItem[] => [
    ...soundItems(asTrack),
    {
      name: "Add to playlist…",
      action: "addToPlaylist",
      need: "create:playlists",
      run: () => openPicker([asTrack]),
    },
    { name: "More like this", isOfAll: true, run: () => go(`/library/search?like=${track.id}`) },
    null,
    { name: "Share…", action: "share", need: "create:shares", run: share },
    { name: "Deliver…", action: "deliver", need: "update:tracks", run: () => deliverTracks([asTrack]) },
    { name: "New version…", need: "update:tracks", run: () => picker.current?.click() },
    { name: "Rename", action: "rename", need: "update:tracks", run: rename },
    ...libraryItems(asTrack),
    null,
    { name: "Delete", action: "remove", isDanger: true, need: "update:tracks", run: remove },
  ];
  return (
    <header class="sheet-head">
      <CoverField track={track} files={files} />
      <Names track={track} title={title} isNaming={isNaming} isPanel={isPanel} />
      {isPanel && <PanelTools trackId={track.id} />}
      <Facts track={track} active={active} />
      <div class="sheet-actions">
        <Button
          look="sheet-play"
          icon={clock.isPlaying.value ? "pause" : "play"}
          title={tooltip("playPause")}
          run={toggle}
        >
          {clock.isPlaying.value ? "Pause" : "Play"}
        </Button>
        {can("create:shares") && (
          <Button look="secondary" icon="share" title={tooltip("share")} run={share}>
            Share
          </Button>
        )}
        <MenuButton label="More actions" items={menu} />
        {isOurs && <FileInput label="New version" inputRef={picker} accept="audio/*" take={files.take} />}
      </div>
    </header>
  );
}

const step = (clock: Clock, bySec: number) => () =>
  clock.moveTo(Math.max(0, clock.positionSec.peek() + bySec));

type NamesProps = Pick<SheetProps, "track" | "title"> & { isNaming: Signal<boolean>; isPanel: boolean };

function Names({ track, title, isNaming, isPanel }: NamesProps) {
  const heading = useHeading<HTMLHeadingElement>(title);
  const isNamingArtist = useSignal(false);
  const Heading = isPanel ? "h2" : "h1";
  const rename = async (text: string) => {
    const before = track.audio_profile.title;
    await writeDetails(track.id, { title: text === "" ? null : text });
    toast(`Renamed to ${text || track.name}`, { undo: () => writeDetails(track.id, { title: before }) });
  };
  const setArtist = (text: string) => writeDetails(track.id, { artist: text === "" ? null : text });
  return (
    <div class="sheet-names">
      <EditInPlace
        maxLength={MAX_LINE}
        label="Title"
        isFixed={!can("update:tracks")}
        field="title"
        text={track.audio_profile.title ?? title}
        isOpen={isNaming}
        tooltip={tooltip("rename", "Edit title")}
        onSave={rename}
      >
        <Heading ref={heading} tabIndex={-1}>
          {title}
        </Heading>
      </EditInPlace>
      <EditInPlace
        maxLength={MAX_LINE}
        label="Artist"
        isFixed={!can("update:tracks")}
        field="artist"
        text={track.audio_profile.artist ?? ""}
        isOpen={isNamingArtist}
        onSave={setArtist}
      >
        <p class={track.audio_profile.artist ? "sheet-artist" : "sheet-artist soft"}>
          {track.audio_profile.artist ?? "No artist"}
        </p>
      </EditInPlace>
    </div>
  );
}

function PanelTools({ trackId }: { trackId: string }) {
  return (
    <div class="panel-tools">
      <IconButton
        label="Open whole"
        icon="whole"
        title={tooltip("openWhole")}
        run={() => go(`/library/tracks/${trackId}?${place.value.search}`)}
      />
      <IconButton label="Close" icon="close" run={() => close("/library")} />
    </div>
  );
}

function CoverField({ track, files }: { track: SheetProps["track"]; files: Files }) {
  const { cover } = track.audio_profile;
  if (!can("update:tracks"))
    return (
      <div class="sheet-cover">
        <CoverPicture seed={track.id} cover={cover} />
      </div>
    );
  return (
    <div class="sheet-cover">
      <CoverEdit label="Change cover" take={files.take}>
        <CoverPicture seed={track.id} cover={cover} />
        {cover !== null && (
          <button
            type="button"
            class="cover-draw"
            title="Draw one in place of the picture"
            onClick={() => attempt(() => drawCover(track.id, cover))}
          >
            Draw one
          </button>
        )}
      </CoverEdit>
    </div>
  );
}
