/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { clock } from "../../../../pages/waveform.ts";
import { shareTracks, trackMenu } from "../../actions/track-menu.ts";
import { can } from "../../api/library.ts";
import { href } from "../../first-data.ts";
import { CoverPlay } from "../../player/cover-play.tsx";
import { openPicker } from "../../playlists/open.tsx";
import { KeptMark } from "../../pocket/kept-mark.tsx";
import { IconButton } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Match } from "../../ui/match.tsx";
import { MenuButton } from "../../ui/menu.tsx";
import { Also } from "./also.tsx";
import { toTrack } from "./playing.ts";
import type { Hit, HitActions } from "./search.ts";

type Props = {
  hit: Hit;
  /** What the search says in words. */
  prose: string;
  index: number;
  actions: HitActions;
  isSelected: boolean;
  isTabStop: boolean;
  onFocus: () => void;
};

const MAX_REASONS = 3;

/** A result: what it is, why it was found, how well it fits, and what can be done with it. */
export function ResultRow({ hit, prose, index, actions, isSelected, isTabStop, onFocus }: Props) {
  const { id, title, artists } = hit;
  const artist = artists.join(", ");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of the grid
    <div
      role="row"
      class="result"
      aria-label={artist === "" ? title : `${title}, ${artist}`}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      onFocusIn={onFocus}
      draggable
      onDragStart={(event) => actions.drag(event, hit)}
      onKeyDown={(event) => moveWithin(event, (isWhole) => actions.open(hit, isWhole))}
    >
      <Cell name="result-lead">
        <label class="check">
          <input
            type="checkbox"
            aria-label={`Select ${title}`}
            tabIndex={-1}
            checked={isSelected}
            onChange={() => actions.select(hit)}
          />
        </label>
        <CoverPlay track={hit} title={title} onPlay={() => actions.play(hit)} />
      </Cell>
      <Cell name="result-what">
        <a class="result-title tap" href={href(`/library/tracks/${id}`)} tabIndex={-1}>
          {title}
        </a>
        {artist !== "" && <span class="result-artist">{artist}</span>}
        <KeptMark trackId={id} />
        <Reasons hit={hit} />
        {hit.passage && <PlayPart hit={hit} at={hit.passage.fromSec} play={actions.play} />}
        <Also hit={hit} prose={prose} />
      </Cell>
      <Cell name="result-facts">
        {factsOf(hit).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </Cell>
      <Cell name="result-match">
        <Match score={hit.score} />
        <span aria-hidden="true">{Math.round(100 * hit.score)}</span>
      </Cell>
      <Cell name="result-actions">
        <RowButton label={`More like ${title}`} icon="more-like" run={() => actions.like(hit)} />
        <RowButton label={`Less like ${title}`} icon="less-like" run={() => actions.unlike(hit)} />
        {can("create:playlists") && (
          <RowButton
            label={`Add ${title} to a playlist`}
            icon="playlists"
            run={() => openPicker([toTrack(hit)])}
          />
        )}
        {can("create:shares") && (
          <RowButton label={`Share ${title}`} icon="share" run={() => shareTracks([hit])} />
        )}
        <MenuButton
          label={`More actions for ${title}`}
          tabIndex={-1}
          items={() => trackMenu(toTrack(hit), [{ name: "Less like this", run: () => actions.unlike(hit) }])}
        />
      </Cell>
    </div>
  );
}

function Cell({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a cell of the grid
    // biome-ignore lint/a11y/useFocusableInteractive: what is in it has the focus
    <div role="gridcell" class={name}>
      {children}
    </div>
  );
}

/** Plays the part that sounds most like the reference. */
function PlayPart({ hit, at, play }: { hit: Hit; at: number; play: HitActions["play"] }) {
  return (
    <button type="button" class="result-word result-part" tabIndex={-1} onClick={() => play(hit, at)}>
      <Icon name="play" />
      Play the part at {clock(at)}
    </button>
  );
}

function Reasons({ hit: { title, reason } }: { hit: Hit }) {
  const isOpen = useSignal(false);
  if (reason.length === 0) return null;
  const shown = isOpen.value ? reason : reason.slice(0, MAX_REASONS);
  return (
    <div class="result-why">
      <ul aria-label={`Why ${title}`}>
        {shown.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {reason.length > shown.length && (
        <button
          type="button"
          class="result-more"
          tabIndex={-1}
          aria-label={`+${reason.length - shown.length} more reasons for ${title}`}
          onClick={() => {
            isOpen.value = true;
          }}
        >
          +{reason.length - shown.length}
        </button>
      )}
    </div>
  );
}

function RowButton(props: { label: string; icon: IconName; run: () => unknown }) {
  return <IconButton {...props} title={props.label} tabIndex={-1} />;
}

const factsOf = ({ bpm, key, durationSec }: Hit): string[] => [
  ...(bpm === null ? [] : [`${Math.round(bpm)} BPM`]),
  ...(key === null ? [] : [key]),
  ...(durationSec === null ? [] : [clock(durationSec)]),
];

/** Left and right move between the controls of a row; Enter on the row itself opens it. */
function moveWithin(event: KeyboardEvent, onOpen: (isWhole: boolean) => void): void {
  const row = event.currentTarget as HTMLElement;
  if (event.key === "Enter" && event.target === row) {
    event.preventDefault();
    onOpen(event.shiftKey);
  }
  if ((event.key !== "ArrowLeft" && event.key !== "ArrowRight") || event.shiftKey || event.altKey) return;
  const stops = [row, ...row.querySelectorAll<HTMLElement>("input, button, a")];
  const at = stops.indexOf(document.activeElement as HTMLElement) + (event.key === "ArrowRight" ? 1 : -1);
  stops[Math.max(0, Math.min(at, stops.length - 1))]?.focus();
  event.preventDefault();
  event.stopPropagation();
}
