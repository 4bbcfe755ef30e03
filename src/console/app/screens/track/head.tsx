/** @jsxRuntime automatic @jsxImportSource preact */
import { useRef } from "preact/hooks";
import { close, go, place, setSearch } from "../../router.ts";
import { tooltip } from "../../ui/actions.ts";
import { CoverPicture } from "../../ui/cover-picture.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useActions } from "../../ui/keys.ts";
import { MenuButton, type MenuItem } from "../../ui/menu.tsx";
import { useHeading } from "../../ui/screen.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { analyseAgain, setVisible, writeDetails } from "./changes.ts";
import type { Clock } from "./clock.ts";
import { Editable, useEditable } from "./editable.tsx";
import { Facts } from "./facts.tsx";
import type { Files } from "./files.tsx";
import type { SheetProps } from "./queries.ts";
import { localAddress, pause, play, toPlay } from "./sound.ts";

type HeadProps = SheetProps & { clock: Clock; files: Files; isPanel: boolean };

/** Cover, names, facts, and what is done with the whole track. */
export function Head({ track, title, versions, clock, files, isPanel }: HeadProps) {
  const active = versions.find((version) => version.active);
  const name = useEditable();
  const toggle = () => {
    if (clock.isPlaying.peek()) pause();
    else if (active) play(toPlay(track, title, active.id), clock.positionSec.peek());
  };
  const share = () => setSearch({ tab: "links" });
  const picker = useRef<HTMLInputElement>(null);
  useActions({
    playPause: toggle,
    share,
    rename: name.begin,
    back: step(clock, -5),
    forward: step(clock, 5),
  });
  const menu = (): MenuItem[] => [
    { name: "Rename", action: "rename", run: name.begin },
    { name: "New version…", run: () => picker.current?.click() },
    {
      name: track.visible ? "Hide from library" : "Show in library",
      run: () => active && void setVisible(track.id, active.id, !track.visible),
    },
    { name: "Analyse again", run: () => void analyseAgain(track.id) },
    { name: "Download", run: () => active && location.assign(localAddress(active.downloadUrl)) },
  ];
  return (
    <header class="sheet-head">
      <CoverField track={track} files={files} />
      <Names track={track} title={title} name={name} isPanel={isPanel} />
      {isPanel && <PanelTools trackId={track.id} />}
      <Facts track={track} active={active} />
      <div class="sheet-actions">
        <button type="button" class="button sheet-play" title={tooltip("playPause")} onClick={toggle}>
          <Icon name={clock.isPlaying.value ? "pause" : "play"} />
          {clock.isPlaying.value ? "Pause" : "Play"}
        </button>
        <button type="button" class="button secondary" title={tooltip("share")} onClick={share}>
          <Icon name="share" />
          Share
        </button>
        <MenuButton label="More actions" items={menu}>
          <Icon name="more" />
        </MenuButton>
        <FileInput label="New version" inputRef={picker} accept="audio/*" files={files} />
      </div>
    </header>
  );
}

const step = (clock: Clock, bySec: number) => () =>
  clock.moveTo(Math.max(0, clock.positionSec.peek() + bySec));

type NamesProps = Pick<SheetProps, "track" | "title"> & {
  name: ReturnType<typeof useEditable>;
  isPanel: boolean;
};

function Names({ track, title, name, isPanel }: NamesProps) {
  const heading = useHeading<HTMLHeadingElement>(title);
  const artist = useEditable();
  const Heading = isPanel ? "h2" : "h1";
  const rename = async (text: string) => {
    const before = track.audio_profile.title;
    try {
      await writeDetails(track.id, { title: text === "" ? null : text });
      toast(`Renamed to ${text || track.name}`, { undo: () => writeDetails(track.id, { title: before }) });
    } catch (thrown) {
      toastError(thrown);
    }
  };
  const setArtist = (text: string) =>
    writeDetails(track.id, { artist: text === "" ? null : text }).catch(toastError);
  return (
    <div class="sheet-names">
      <Editable label="Title" text={track.audio_profile.title ?? title} state={name} onSave={rename}>
        <Heading ref={heading} tabIndex={-1}>
          {title}
        </Heading>
      </Editable>
      <Editable label="Artist" text={track.audio_profile.artist ?? ""} state={artist} onSave={setArtist}>
        <p class={track.audio_profile.artist ? "sheet-artist" : "sheet-artist soft"}>
          {track.audio_profile.artist ?? "No artist"}
        </p>
      </Editable>
    </div>
  );
}

function PanelTools({ trackId }: { trackId: string }) {
  return (
    <div class="panel-tools">
      <button
        type="button"
        class="icon-button"
        aria-label="Open whole"
        title={tooltip("openWhole")}
        onClick={() => go(`/library/tracks/${trackId}?${place.value.search}`)}
      >
        <Icon name="whole" />
      </button>
      <button type="button" class="icon-button" aria-label="Close" onClick={() => close("/library")}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function CoverField({ track, files }: { track: SheetProps["track"]; files: Files }) {
  const picker = useRef<HTMLInputElement>(null);
  const { cover } = track.audio_profile;
  return (
    <div class="sheet-cover">
      <CoverPicture seed={track.id} cover={cover} />
      <button type="button" class="cover-button" onClick={() => picker.current?.click()}>
        <Icon name="edit" />
        <span class="sr-only">Change cover</span>
      </button>
      <FileInput
        label="Change cover"
        inputRef={picker}
        accept="image/jpeg,image/png,image/webp,image/gif"
        files={files}
      />
    </div>
  );
}

type FileInputProps = {
  label: string;
  inputRef: { current: HTMLInputElement | null };
  accept: string;
  files: Files;
};

/** A file input that a button opens. */
export function FileInput({ label, inputRef, accept, files }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      aria-label={label}
      accept={accept}
      hidden
      onChange={({ currentTarget }) => {
        files.take([...(currentTarget.files ?? [])]);
        currentTarget.value = "";
      }}
    />
  );
}
