/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clock } from "../../../pages/waveform.ts";
import { tooltip } from "../ui/actions.ts";
import { IconButton } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { step, toggle } from "./player.ts";
import { durationSec, elapsedSec, isPlaying, queue, sound } from "./state.ts";

/** Play or pause, the one button in the accent's colour. */
function PlayButton() {
  const isOn = isPlaying.value;
  return (
    <button
      type="button"
      class="play-button"
      aria-label={isOn ? "Pause" : "Play"}
      title={tooltip("playPause", isOn ? "Pause" : "Play")}
      aria-disabled={queue.value.current === undefined}
      onClick={toggle}
    >
      <Icon name={isOn ? "pause" : "play"} />
    </button>
  );
}

/** Previous, play or pause, next. */
export function PlayerButtons() {
  const isEmpty = queue.value.current === undefined;
  const way = (name: string, icon: "previous" | "next", by: 1 | -1) => (
    <IconButton
      label={name}
      icon={icon}
      title={tooltip(`${icon}Track`)}
      aria-disabled={isEmpty}
      run={() => step(by)}
    />
  );
  return (
    <div class="player-buttons">
      {way("Previous track", "previous", -1)}
      <PlayButton />
      {way("Next track", "next", 1)}
    </div>
  );
}

/** Written into the text itself: four times a second, and nothing else is drawn. */
export function Times() {
  const element = useRef<HTMLSpanElement>(null);
  useSignalEffect(() => {
    const text =
      sound.value || elapsedSec.value > 0 ? `${clock(elapsedSec.value)} / ${clock(durationSec.value)}` : "";
    if (element.current && element.current.textContent !== text) element.current.textContent = text;
  });
  return <span ref={element} class="player-times" />;
}
