/** @jsxRuntime automatic @jsxImportSource preact */
import { chanceOf, percentOf } from "../player/guesses.ts";
import { Button } from "./button.tsx";

type GuessResultProps = {
  right: number;
  rounds: number;
  /** Up to this chance, the answers are no guesses. */
  significant: number;
  heard: string;
  notShown: string;
  onClose: () => void;
};

/** What a listening test in which one was to be told from another has shown. */
export function GuessResult({ right, rounds, significant, heard, notShown, onClose }: GuessResultProps) {
  const chance = chanceOf(right, rounds);
  return (
    <>
      <p>
        <b>
          {right} of {rounds} right.
        </b>{" "}
        By guessing alone, that or better happens {percentOf(chance)} % of the time.
      </p>
      <p class="soft">{chance <= significant ? heard : notShown}</p>
      <div class="dialog-actions">
        <Button run={onClose}>Done</Button>
      </div>
    </>
  );
}
