/** @jsxRuntime automatic @jsxImportSource preact */
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { queryClient, useQuery } from "../../api/queries.ts";
import type { Side } from "../../player/ab.ts";
import { clock as timeOf } from "../../player/time.ts";
import { peakOf } from "../../player/wave.ts";
import { WaveCanvas } from "../../player/wave-canvas.tsx";
import { tooltip } from "../../ui/actions.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { showDialog } from "../../ui/dialog.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { useActions } from "../../ui/keys.ts";
import { tenths } from "../../ui/numbers.ts";
import { Segments } from "../../ui/segments.tsx";
import { BlindTest } from "./blind-test.tsx";
import { changesOf } from "./diff-words.ts";
import { labelOf } from "./names.ts";
import { diffQuery, type Version, versionsQuery } from "./queries.ts";
import { type Ab, useAb } from "./use-ab.ts";
import { useOutlineOf, useWidth } from "./wave.tsx";
import { useGestures } from "./wave-gestures.ts";
import { atWidth, type WaveState } from "./wave-state.ts";

type CompareProps = { trackId: string; a: Version; b: Version; wave: WaveState; onClose: () => void };

/** Two versions by ear and in words: `b` as seen from `a`. */
export function Compare({ trackId, a, b, wave, onClose }: CompareProps) {
  const missing = [a, b].filter(({ isAnalysed }) => !isAnalysed);
  const isReady = missing.length === 0;
  // Asking has both analysed.
  const { data, isError } = useQuery(diffQuery(trackId, b, a));
  const diff = isReady ? data?.data : undefined;
  useEffect(() => {
    // By now the server says that their analyses wait.
    if (isError) void queryClient.invalidateQueries({ queryKey: versionsQuery(trackId).queryKey });
  }, [isError, trackId]);
  const offsetSec = (diff?.offsetMs ?? 0) / 1000;
  const ab = useAb(a, b, offsetSec);
  useActions({
    select: ab.swap,
    playPause: ab.toggle,
    matchLoudness: () => isReady && ab.match(!ab.isMatched.peek()),
  });
  const reasonId = useId();
  const [labelA, labelB] = [labelOf(a), labelOf(b)];
  return (
    <section class="compare" aria-label={`Compare ${labelA} with ${labelB}`}>
      <header class="compare-head">
        <h2>
          {labelA} <span class="soft">and</span> {labelB}
        </h2>
        <IconButton label="Close comparison" icon="close" run={onClose} />
      </header>
      <Waves a={a} b={b} ab={ab} wave={wave} />
      <Controls
        a={a}
        b={b}
        ab={ab}
        wave={wave}
        {...(!isReady && { off: { reasonId, reason: reasonOf(missing) } })}
      />
      {!isReady && (
        <p class="soft" id={reasonId} role="status">
          Match loudness, Blind test and what changed: {reasonOf(missing)}.
        </p>
      )}
      {diff && <Differences changes={changesOf(diff)} balance={diff.balance} />}
    </section>
  );
}

/** Says when what needs both analyses can be used. */
function reasonOf(missing: readonly Version[]): string {
  const failed = missing.filter(({ analysis }) => analysis === "failed");
  if (failed.length > 0) return `not available, because ${listed(failed)} could not be analysed`;
  return `after ${listed(missing)} ${missing.length > 1 ? "have" : "has"} been analysed`;
}

const listed = (versions: readonly Version[]) => versions.map(labelOf).join(" and ");

type PartProps = { a: Version; b: Version; ab: Ab; wave: WaveState };
/** Why a tool cannot be used yet, and the element that says so. */
type Off = { reason: string; reasonId: string };

function Controls({ a, b, ab, wave, off }: PartProps & { off?: Off }) {
  const now = useComputed(() => timeOf(ab.positionSec.value));
  const loop = () => {
    const { fromSec, secondsPerPx } = wave.current();
    const toSec = Math.min(fromSec + wave.width.peek() * secondsPerPx, wave.durationSec.peek());
    ab.loop(ab.span.peek() ? undefined : { fromSec, toSec });
  };
  return (
    <div class="compare-controls">
      <button
        type="button"
        class="play-button"
        aria-label={ab.isPlaying.value ? "Pause comparison" : "Play comparison"}
        aria-busy={ab.isLoading.value}
        onClick={ab.toggle}
      >
        <Icon name={ab.isPlaying.value ? "pause" : "play"} />
      </button>
      <Segments
        label="Which one sounds"
        options={[
          { value: "a", name: `A: ${labelOf(a)}` },
          { value: "b", name: `B: ${labelOf(b)}` },
        ]}
        current={ab.side.value}
        onChange={ab.choose}
      />
      <Tool name="Switch" icon="swap" title={tooltip("select", "Switch")} run={ab.swap} />
      <Tool
        name="Match loudness"
        icon="match"
        title={tooltip("matchLoudness")}
        isOn={ab.isMatched.value && !off}
        off={off}
        run={() => ab.match(!ab.isMatched.peek())}
      />
      <Tool
        name="Loop"
        icon="loop"
        title="Repeat the visible part"
        isOn={ab.span.value !== undefined}
        run={loop}
      />
      <Tool
        name="Blind test"
        icon="hide"
        title="Can you hear the difference?"
        off={off}
        run={() => showDialog((close) => <BlindTest a={a} b={b} ab={ab} onClose={close} />)}
      />
      <span class="compare-time" aria-hidden="true">
        {now}
      </span>
    </div>
  );
}

type ToolProps = {
  name: string;
  icon: IconName;
  title: string;
  isOn?: boolean;
  off?: Off | undefined;
  run: () => void;
};

function Tool({ name, icon, title, isOn, off, run }: ToolProps) {
  return (
    <Button
      look="quiet small"
      icon={icon}
      title={off ? `${name}: ${off.reason}` : title}
      {...(isOn !== undefined && { "aria-pressed": isOn })}
      {...(off && { "aria-disabled": true, "aria-describedby": off.reasonId })}
      run={() => {
        if (!off) run();
      }}
    >
      {name}
    </Button>
  );
}

/** Both waves, one over the other, moved so that the same moment stands at the same place. */
function Waves({ a, b, ab, wave: sheetWave }: PartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(0);
  const wave = useMemo(() => atWidth(sheetWave, width), [sheetWave, width]);
  useWidth(box, wave);
  const outlines = [useOutlineOf(a), useOutlineOf(b)] as const;
  useGestures(box, { wave, onMove: ab.moveTo });
  useSignalEffect(() => {
    if (ab.isPlaying.value) wave.follow(ab.positionSec.value);
  });
  // On one scale: the louder one is the taller one.
  const loudest = () => Math.max(...outlines.map(({ value }) => (value ? peakOf(value) : 1)));
  const row = (side: Side, shiftSec: number) => (
    <div class={ab.side.value === side ? "compare-wave" : "compare-wave compare-silent"}>
      <span aria-hidden="true">{side.toUpperCase()}</span>
      <WaveCanvas
        outline={outlines[side === "a" ? 0 : 1]}
        view={() => {
          const view = wave.current();
          return { ...view, fromSec: view.fromSec + shiftSec };
        }}
        playedSec={() => ab.positionSec.value + shiftSec}
        peak={loudest}
      />
    </div>
  );
  const span = ab.span.value;
  const { fromSec, secondsPerPx } = wave.current();
  return (
    <div ref={box} class="compare-waves">
      {row("a", 0)}
      {row("b", ab.offsetSec)}
      {span && (
        <span
          class="compare-span"
          style={{
            left: `${(span.fromSec - fromSec) / secondsPerPx}px`,
            width: `${(span.toSec - span.fromSec) / secondsPerPx}px`,
          }}
        />
      )}
    </div>
  );
}

type Balance = readonly { centreHz: number; changeDb: number | null; matchedDb: number | null }[];

function Differences({ changes, balance }: { changes: readonly string[]; balance: Balance }) {
  return (
    <div class="differences">
      <ul class="change-list" aria-label="What changed">
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {balance.length > 0 && <BalanceTable balance={balance} />}
    </div>
  );
}

/** The balance as bars, with its numbers. */
function BalanceTable({ balance }: { balance: Balance }) {
  const most = Math.max(3, ...balance.map(({ matchedDb }) => Math.abs(matchedDb ?? 0)));
  return (
    <table class="balance" aria-label="Octave balance">
      <thead>
        <tr>
          <th scope="col">Octave</th>
          <th scope="col">B at equal loudness</th>
        </tr>
      </thead>
      <tbody>
        {balance.map(({ centreHz, matchedDb }) => {
          const part = (50 * Math.abs(matchedDb ?? 0)) / most;
          const isMore = (matchedDb ?? 0) > 0;
          return (
            <tr key={centreHz}>
              <th scope="row">{centreHz >= 1000 ? `${centreHz / 1000} kHz` : `${centreHz} Hz`}</th>
              <td>
                <span class="balance-bar" aria-hidden="true">
                  <i style={{ width: `${part}%`, left: isMore ? "50%" : `${50 - part}%` }} />
                </span>
                <span class="balance-value">{matchedDb === null ? "–" : signed(matchedDb)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const signed = (db: number) => `${db > 0 ? "+" : ""}${tenths(db)} dB`;
