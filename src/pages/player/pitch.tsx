/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, Notice } from "../components.tsx";
import type { PlayerPitch } from "./model.ts";

/** What the page of a track asks: whether its recipient wants it. */
export function TrackPitch({ trackId, pitch }: { trackId: string; pitch: PlayerPitch }) {
  return (
    <section class="pitch-part" aria-label="Answer">
      <PitchWords pitch={pitch} />
      <PitchRest trackId={trackId} pitch={pitch} />
    </section>
  );
}

/** What it says in a sentence. */
export function PitchWords({ pitch: { words, error } }: { pitch: PlayerPitch }) {
  return (
    <>
      {error && <Notice kind="error">{error}.</Notice>}
      <p class="pitch-words" id="pitch-words" role="status">
        {words}
      </p>
    </>
  );
}

type Asking = { trackId: string; pitch: Omit<PlayerPitch, "words" | "error"> };

/** What is asked about a track, folded once it was answered. */
export function PitchRest({ trackId, pitch }: Asking) {
  const item = pitch.tracks.get(trackId);
  if (!item) return null;
  const { said } = item;
  const draft = pitch.draft?.trackId === trackId ? pitch.draft.note : undefined;
  const form = <PitchForm trackId={trackId} pitch={pitch} note={draft ?? said?.text ?? ""} />;
  return (
    <div class="pitch" id={`pitch-${trackId}`}>
      {said?.words && <p class="pitch-said">{said.words}</p>}
      {said?.text && <p class="pitch-note">“{said.text}”</p>}
      {said ? (
        <details open={draft !== undefined}>
          <summary>Change</summary>
          {form}
        </details>
      ) : (
        form
      )}
    </div>
  );
}

/** The note is an area of text: the Enter key sends nothing, since no answer is the usual one. */
function PitchForm({ trackId, pitch, note }: Asking & { note: string }) {
  const { action, longest, isReadOnly } = pitch;
  const item = pitch.tracks.get(trackId);
  if (!item) return null;
  return (
    <form method="post" action={action} class="pitch-form">
      <fieldset disabled={isReadOnly}>
        <legend>Your answer</legend>
        <input type="hidden" name="e" value={item.proof.e} />
        <input type="hidden" name="s" value={item.proof.s} />
        <input type="hidden" name="track" value={trackId} />
        <input type="hidden" name="version" value={item.versionId} />
        <div class="pitch-buttons">
          {pitch.answers.map(({ answer, words }) => (
            <Button key={answer} kind="secondary" name="answer" value={answer}>
              {words}
            </Button>
          ))}
        </div>
        <label class="field">
          <span>Note</span>
          <textarea name="note" rows={1} autocomplete="off" maxLength={longest} value={note} />
        </label>
      </fieldset>
    </form>
  );
}
