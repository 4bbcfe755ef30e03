/** @jsxRuntime automatic @jsxImportSource preact */
import { KeptTracks } from "../../families/kept.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Screen } from "../../ui/screen.tsx";
import { ChooseButtons } from "../../uploads/choose.tsx";
import { MixOffers } from "../../uploads/mixes.tsx";
import { KeptRecordings, RecordButton } from "../../uploads/record/record-button.tsx";
import { SharedFiles } from "../../uploads/shared.tsx";
import { WaitingFiles } from "../../uploads/tray.tsx";
import { Intakes } from "./intakes.tsx";

/** Choosing files, and the files that folders brought. Uploads in progress show in the tray, on every screen. */
export default function UploadsScreen() {
  return (
    <Screen heading="Uploads">
      <SharedFiles />
      <div class="drop-field">
        <Icon name="uploads" />
        <p>Drop files or folders anywhere in this window, or choose them here.</p>
        <ChooseButtons />
        <RecordButton />
        <p class="soft">
          Files are sent and analysed while you work. An interrupted upload resumes where it left off.
        </p>
      </div>
      <KeptRecordings />
      <WaitingFiles />
      <MixOffers />
      <KeptTracks />
      <Intakes />
    </Screen>
  );
}
