/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Side } from "../../player/ab.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { GuessResult } from "../../ui/guess-result.tsx";
import { labelOf } from "./names.ts";
import type { Version } from "./queries.ts";
import type { Ab } from "./use-ab.ts";

const ROUNDS = 10;

const toss = (): Side => (Math.random() < 0.5 ? "a" : "b");
const otherOf = (side: Side): Side => (side === "a" ? "b" : "a");

/** X is one of the two, Y the other: is the difference to be heard at all? */
export function BlindTest({ a, b, ab, onClose }: { a: Version; b: Version; ab: Ab; onClose: () => void }) {
  const x = useSignal<Side>(toss());
  const round = useSignal(1);
  const right = useSignal(0);
  const heard = useSignal<"X" | "Y" | undefined>(undefined);
  useEffect(() => {
    const [side, isMatched] = [ab.side.peek(), ab.isMatched.peek()];
    // Unmatched, the louder one would give itself away.
    ab.match(true);
    return () => {
      ab.choose(side);
      ab.match(isMatched);
    };
  }, [ab]);
  const listen = (which: "X" | "Y") => {
    heard.value = which;
    ab.listen(which === "X" ? x.peek() : otherOf(x.peek()));
  };
  const answer = (said: Side) => {
    if (said === x.peek()) right.value++;
    round.value++;
    x.value = toss();
    heard.value = undefined;
    if (round.value > ROUNDS) ab.pause();
  };
  const isOver = round.value > ROUNDS;
  return (
    <Dialog label="Blind test" onClose={onClose}>
      {isOver ? (
        <GuessResult
          right={right.value}
          rounds={ROUNDS}
          significant={0.06}
          heard="You can hear the difference."
          notShown="That does not show that you hear a difference."
          onClose={onClose}
        />
      ) : (
        <>
          <p>
            X is either A ({labelOf(a)}) or B ({labelOf(b)}); Y is the other one. Listen, then say what X is.
          </p>
          <div class="blind-pair">
            {(["X", "Y"] as const).map((which) => (
              <button
                key={which}
                type="button"
                class="blind-button"
                aria-pressed={heard.value === which}
                onClick={() => listen(which)}
              >
                {which}
              </button>
            ))}
          </div>
          <div class="dialog-actions blind-answers">
            <span class="soft" role="status">
              {round} of {ROUNDS}
            </span>
            <Button look="secondary" run={() => answer("a")}>
              X is A
            </Button>
            <Button look="secondary" run={() => answer("b")}>
              X is B
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
