/** @jsxRuntime automatic @jsxImportSource preact */
import { CoverShapes } from "../../../pages/cover.tsx";
import { canAddTracks, isGuest, library } from "../api/library.ts";
import { href, libraries } from "../first-data.ts";
import { PlayerBar } from "../player/bar.tsx";
import { go, keep, match } from "../router.ts";
import { tooltip } from "../ui/actions.ts";
import { Button } from "../ui/button.tsx";
import { Dialogs, showDialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { Part, useActions } from "../ui/keys.ts";
import { OpenMenu } from "../ui/menu.tsx";
import { Toasts, undoLast } from "../ui/toast.tsx";
import { useWide } from "../ui/wide.ts";
import { chooseFiles } from "../uploads/choose.tsx";
import { DropZone } from "../uploads/drop-zone.tsx";
import { UploadTray } from "../uploads/tray.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { LeftDialog } from "./left-dialog.tsx";
import { Navigation } from "./navigation.tsx";
import { Notices } from "./notices.tsx";
import { Bell } from "./notifications.tsx";
import { Palette } from "./palette.tsx";
import { CurrentScreen, listBeside, Panel } from "./screens.tsx";
import { SessionDialog } from "./session-dialog.tsx";

/** Everything around the screens. It is rendered once and stays: playback and uploads go on below it. */
export function Frame() {
  useActions({
    palette: () => showDialog((close) => <Palette onClose={close} />),
    help: () => showDialog((close) => <KeysDialog onClose={close} />),
    ...(!isGuest() && { searchField: openSearch }),
    undo: undoLast,
    ...(canAddTracks() && { upload: chooseFiles }),
  });
  return (
    <div class="frame">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Navigation />
      <Banner />
      <Places />
      <PlayerBar />
      <Toasts />
      <UploadTray />
      {canAddTracks() && <DropZone />}
      <CoverShapes />
      <Notices />
      <Dialogs />
      <SessionDialog />
      <LeftDialog />
      <OpenMenu />
    </div>
  );
}

function openSearch(): void {
  go("/library/search");
  // The screen gives the focus to its field, not to its heading.
  keep("field", true);
}

/** The screen, and beside it the panel of the item opened in its list. */
function Places() {
  const list = useWide() ? listBeside() : undefined;
  const thing = match.value;
  return (
    <>
      <main id="main" class="main" tabIndex={-1}>
        <Part.Provider value="main">
          <CurrentScreen match={list ?? thing} />
        </Part.Provider>
      </main>
      {list && thing && (
        <Part.Provider value="panel">
          <Panel match={thing} />
        </Part.Provider>
      )}
    </>
  );
}

/** The mark, whose library it is, and what is at hand on every screen. */
function Banner() {
  return (
    <header class="banner">
      <div class="wordmark">
        <Disc />
        <span class="wordmark-name">Dubplate</span>
        {isShared() && <span class="wordmark-library">{library.value.name}</span>}
      </div>
      <TopBar />
    </header>
  );
}

/** Somebody's own and only library needs no name. */
const isShared = () => libraries.length > 1 || library.value.role !== "owner";

/** The mark: a record. */
function Disc() {
  return (
    <svg class="disc" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="15" />
      <circle cx="16" cy="16" r="11.6" class="groove" />
      <circle cx="16" cy="16" r="9" class="groove" />
      <circle cx="16" cy="16" r="5.8" class="label" />
    </svg>
  );
}

function TopBar() {
  return (
    <div class="top-bar">
      {!isGuest() && (
        <a class="icon-button top-search" href={href("/library/search")} aria-label="Search">
          <Icon name="search" />
        </a>
      )}
      {canAddTracks() && (
        <Button
          look="secondary small upload-button"
          icon="uploads"
          title={tooltip("upload")}
          run={chooseFiles}
        >
          <span class="upload-word">Upload</span>
        </Button>
      )}
      <Bell />
      <AccountMenu />
    </div>
  );
}
