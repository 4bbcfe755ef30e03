/** @jsxRuntime automatic @jsxImportSource preact */
import { useEffect, useMemo } from "preact/hooks";
import { Answers } from "../../families/question.tsx";
import { askedIn, type Question, sayNo, sayYes } from "../../families/questions.ts";
import { href } from "../../first-data.ts";
import { useOutline, WaveCanvas } from "../../player/wave-canvas.tsx";
import { Button } from "../../ui/button.tsx";
import { useActions } from "../../ui/keys.ts";
import { tenths } from "../../ui/numbers.ts";
import { PairPlayer } from "./pair-player.ts";

type Props = { question: Question; isCurrent: boolean; onTouch: () => void };

/** A question with both waves under each other, on one scale of time. */
export function Pair({ question, isCurrent, onTouch }: Props) {
  const { id, otherId, title, otherTitle, versionId, otherVersionId } = question;
  const offsetSec = (question.sound?.offsetMs ?? 0) / 1000;
  const player = useMemo(() => new PairPlayer({ id, otherId, offsetSec }), [id, otherId, offsetSec]);
  useEffect(() => () => player.close(), [player]);
  // Both begin where the earlier one does.
  const fromSec = Math.min(0, offsetSec);
  const toSec = Math.max(
    question.otherDurationSec ?? 0,
    (question.durationSec ?? 0) + offsetSec,
    fromSec + 1,
  );
  const span = { fromSec, lengthSec: toSec - fromSec };
  const isPlaying = player.isPlaying.value;
  return (
    <li
      class="family-pair"
      aria-label={title}
      aria-current={isCurrent}
      onFocusIn={onTouch}
      onPointerDown={onTouch}
    >
      <p class="family-asked">
        <a href={href(`/library/tracks/${id}`)}>{title}</a>
        <span>{askedIn(question)}</span>
      </p>
      <div class={`family-wave ${isPlaying && player.side.value === "a" ? "is-heard" : ""}`}>
        <a href={href(`/library/tracks/${otherId}`)}>{otherTitle}</a>
        <Wave
          of={{ trackId: otherId, versionId: otherVersionId }}
          atSec={() => player.positionSec.value}
          laterSec={0}
          span={span}
        />
      </div>
      <div class={`family-wave ${isPlaying && player.side.value === "b" ? "is-heard" : ""}`}>
        <span>{title}</span>
        <Wave
          of={{ trackId: id, versionId }}
          atSec={() => player.positionSec.value - offsetSec}
          laterSec={offsetSec}
          span={span}
        />
      </div>
      <p class="soft">{saysIn(question)}</p>
      <div class="family-tools">
        <Button look="small secondary" icon={isPlaying ? "pause" : "play"} run={player.toggle}>
          {isPlaying ? "Pause" : "Play both"}
        </Button>
        <Answers question={question} />
      </div>
      {isCurrent && <Keys question={question} />}
    </li>
  );
}

/** The keys of the question that was touched last. */
function Keys({ question }: { question: Question }) {
  useActions({ sayYes: () => sayYes(question), sayNo: () => sayNo(question) });
  return null;
}

type WaveProps = {
  of: { trackId: string; versionId: string };
  atSec: () => number;
  laterSec: number;
  span: { fromSec: number; lengthSec: number };
};

function Wave({ of, atSec, laterSec, span }: WaveProps) {
  const outline = useOutline(of);
  const view = (width: number) => ({
    fromSec: span.fromSec - laterSec,
    secondsPerPx: span.lengthSec / Math.max(1, width),
  });
  return (
    <div class="family-outline">
      <WaveCanvas outline={outline} view={view} playedSec={atSec} />
    </div>
  );
}

/** Says what speaks for it, and what does not. */
function saysIn({ isByName, isBySound, sound }: Question): string {
  const parts = [isByName ? "Its name says so" : "Its sound says so"];
  if (isByName && !isBySound) parts.push("the sound does not line up");
  if (!isByName) parts.push("its name does not");
  if (sound?.residualDb != null)
    parts.push(`${tenths(sound.residualDb)} dB are left when one is taken from the other`);
  return `${parts.join(", ")}.`;
}
