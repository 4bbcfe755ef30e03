/** @jsxRuntime automatic @jsxImportSource preact */
import { effect, type Signal, signal, useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Span } from "../../player/ab.ts";
import { play, toggle } from "../../player/player.ts";
import { currentTrackId, elapsedSec, isPlaying, loop } from "../../player/state.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Given, isGiven } from "./given.ts";

type Props = { id: string; given: Given | undefined; part: Signal<Span | undefined> };

/** Where the file from outside plays; undefined: it does not. The player of the frame knows tracks alone. */
const fileSec = signal<number | undefined>(undefined);

/** Where the reference plays, in seconds; 0: nowhere. */
export const heardSec = (id: string): number =>
  isGiven(id) ? (fileSec.value ?? 0) : currentTrackId.value === id ? elapsedSec.value : 0;

/** Plays the passage: a file once, a track again and again. An address cannot be played here. */
export function PassageButton({ id, given, part }: Props) {
  const isOn = useComputed(() =>
    isGiven(id) ? fileSec.value !== undefined : isPlaying.value && currentTrackId.value === id,
  ).value;
  useEffect(() => () => stop(), []);
  if (isGiven(id) && !(given && "file" in given)) return null;
  const start = () => {
    const span = part.peek();
    if (given && "file" in given) playFile(given.file, span);
    else playTrack(id, span);
  };
  return (
    <Button
      look="secondary small"
      icon={isOn ? "pause" : "play"}
      run={() => {
        if (!isOn) start();
        else if (isGiven(id)) stop();
        else toggle();
      }}
    >
      {isOn ? "Stop" : "Play passage"}
    </Button>
  );
}

function playTrack(id: string, span: Span | undefined): void {
  // The player reads the names of a track without a title.
  const track = { id, title: "", artist: null, cover: null };
  play({ tracks: [track], index: 0, source: { key: `passage ${id}` }, fromSec: span?.fromSec ?? 0 });
  loop.value = span;
}

let stop = (): void => undefined;

function playFile(file: File, span: Span | undefined): void {
  stop();
  if (isPlaying.peek()) toggle();
  const address = URL.createObjectURL(file);
  const audio = new Audio(address);
  const { fromSec = 0, toSec = Number.POSITIVE_INFINITY } = span ?? {};
  fileSec.value = fromSec;
  audio.currentTime = fromSec;
  audio.ontimeupdate = () => {
    fileSec.value = audio.currentTime;
    if (audio.currentTime >= toSec) stop();
  };
  audio.onended = () => stop();
  // One thing sounds at a time.
  const end = effect(() => {
    if (isPlaying.value) stop();
  });
  stop = () => {
    stop = () => undefined;
    audio.ontimeupdate = null;
    audio.pause();
    URL.revokeObjectURL(address);
    fileSec.value = undefined;
    end();
  };
  audio.play().catch(() => {
    stop();
    toast("This browser cannot play the file. It can be searched by all the same.", { kind: "alert" });
  });
}
