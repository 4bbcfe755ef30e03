/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { send } from "../../api/client.ts";
import { errorOf } from "../../api/errors.ts";
import { href } from "../../first-data.ts";
import { AbPlayer, type Side } from "../../player/ab.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { GuessResult } from "../../ui/guess-result.tsx";
import { hasSingleLetters } from "../../ui/keys.ts";

const ROUNDS = 16;
const LOOP_SEC = 15;
/** Up to this chance, the answers are no guesses. */
const SIGNIFICANT = 0.05;

type Heard = "A" | "B" | "X";

const toss = (): Side => (Math.random() < 0.5 ? "a" : "b");

/** A is the track, B the same with a mark, X one of the two: can the mark be heard? Keys: A, B, X, and 1 or 2 to answer. */
export function MarkTest({ track, onClose }: { track: { id: string; title: string }; onClose: () => void }) {
  const { player, isReady, problem } = useSample(track.id);
  const x = useSignal<Side>(toss());
  const answers = useSignal<readonly boolean[]>([]);
  const heard = useSignal<Heard | undefined>(undefined);
  const listen = (which: Heard) => {
    if (!isReady.peek()) return;
    heard.value = which;
    player.current?.choose(which === "X" ? x.peek() : which === "A" ? "a" : "b");
    if (!player.current?.isPlaying) player.current?.play();
  };
  const answer = (said: Side) => {
    if (heard.peek() === undefined) return;
    answers.value = [...answers.peek(), said === x.peek()];
    x.value = toss();
    heard.value = undefined;
    player.current?.pause();
  };
  const isOver = answers.value.length === ROUNDS;
  useKeys((key) => {
    const which = key.toUpperCase();
    if (isOver) return;
    if (which === "A" || which === "B" || which === "X") listen(which);
    if (key === "1") answer("a");
    if (key === "2") answer("b");
  });
  return (
    <Dialog label="Can you hear the mark?" onClose={onClose}>
      {problem.value ? (
        <p role="alert">The track could not be loaded. Try again later.</p>
      ) : isOver ? (
        <GuessResult
          right={answers.value.filter(Boolean).length}
          rounds={ROUNDS}
          significant={SIGNIFICANT}
          heard="You can hear the mark."
          notShown="That does not show that you hear the mark."
          onClose={onClose}
        />
      ) : (
        <Round
          {...{
            listen,
            answer,
            heard: heard.value,
            isReady: isReady.value,
            round: answers.value.length + 1,
          }}
        />
      )}
    </Dialog>
  );
}

/** The player of both, once they are loaded. */
function useSample(trackId: string) {
  const player = useRef<AbPlayer | undefined>(undefined);
  const isReady = useSignal(false);
  const problem = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    const context = new AudioContext({ sampleRate: 44_100 });
    load(context, trackId, stop.signal).then(
      (loaded) => {
        player.current = loaded;
        isReady.value = true;
      },
      () => {
        problem.value = !stop.signal.aborted;
      },
    );
    return () => {
      stop.abort();
      player.current?.pause();
      void context.close();
    };
  }, [trackId, isReady, problem]);
  return { player, isReady, problem };
}

/** Takes keys that are pressed alone, wherever the focus is. */
function useKeys(press: (key: string) => void): void {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const stop = new AbortController();
    document.addEventListener(
      "keydown",
      ({ key, ctrlKey, metaKey, altKey }) => {
        if (hasSingleLetters.peek() && !ctrlKey && !metaKey && !altKey) latest.current(key);
      },
      { signal: stop.signal },
    );
    return () => stop.abort();
  }, []);
}

type RoundProps = {
  listen: (which: Heard) => void;
  answer: (said: Side) => void;
  heard: Heard | undefined;
  isReady: boolean;
  round: number;
};

function Round({ listen, answer, heard, isReady, round }: RoundProps) {
  return (
    <>
      <p>A is your track, B the same with a mark. X is one of the two. Listen, then say which.</p>
      <div class="mark-test">
        {(["A", "B", "X"] as const).map((which) => (
          <button
            key={which}
            type="button"
            class="mark-test-button"
            disabled={!isReady}
            aria-pressed={heard === which}
            onClick={() => listen(which)}
          >
            {which}
          </button>
        ))}
      </div>
      <div class="dialog-actions mark-test-answers">
        <span class="soft" role="status">
          {isReady ? `${round} of ${ROUNDS}` : "Loading…"}
        </span>
        <Button look="secondary" disabled={heard === undefined} run={() => answer("a")}>
          1 X is A
        </Button>
        <Button look="secondary" disabled={heard === undefined} run={() => answer("b")}>
          2 X is B
        </Button>
      </div>
    </>
  );
}

/** Loads the middle of a track without and with a mark, which come as four channels of one file. */
async function load(context: AudioContext, trackId: string, signal: AbortSignal): Promise<AbPlayer> {
  const response = await send(new Request(href(`/app/tracks/${trackId}/mark-sample`), { signal }));
  if (!response.ok) throw await errorOf(response);
  const both = await context.decodeAudioData(await response.arrayBuffer());
  const pair = (first: number) => {
    const buffer = context.createBuffer(2, both.length, both.sampleRate);
    for (const channel of [0, 1]) buffer.copyToChannel(both.getChannelData(first + channel), channel);
    return buffer;
  };
  const player = new AbPlayer(context, [pair(0), pair(2)], { offsetSec: 0, lufs: [null, null] });
  player.loop({ fromSec: 0, toSec: Math.min(LOOP_SEC, both.duration) });
  return player;
}
