/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignalEffect } from "@preact/signals";
import { useRef } from "preact/hooks";
import { clock } from "../../../pages/waveform.ts";
import { tooltip } from "../ui/actions.ts";
import { Icon } from "../ui/icon.tsx";
import { toggle } from "./player.ts";
import { durationSec, elapsedSec, isPlaying, queue, sound } from "./state.ts";

/** Play or pause, the one button in the accent's colour. */
export function PlayButton() {
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
