/** @jsxRuntime automatic @jsxImportSource preact */

import { Screen } from "../../ui/screen.tsx";
import { ChooseButtons } from "../../uploads/choose.tsx";

/** Where music is chosen; what is on its way shows in the tray, on every screen. */
export default function UploadsScreen() {
  return (
    <Screen heading="Uploads">
      <p class="soft">Drop files or folders anywhere in this window, or choose them here.</p>
      <div class="uploads-choose">
        <ChooseButtons />
      </div>
    </Screen>
  );
}
