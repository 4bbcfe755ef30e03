/** @jsxRuntime automatic @jsxImportSource preact */
import { Button, Notice } from "../components.tsx";
import { clock } from "../waveform.ts";
import { CommentItem } from "./comments.tsx";
import type { EarlierVersion, PlayerApproval, PlayerReview, PlayerTrack, ReviewedNote } from "./model.ts";

/** What the page of a track asks its recipient, or what they said. */
export function TrackApproval({ track, approval }: { track: PlayerTrack; approval: PlayerApproval }) {
  const review = approval.reviews.get(track.id);
  return (
    <section class="approval" id="approval" aria-label="Approval">
      <ApprovalWords approval={approval} />
      {review && <ApprovalRest review={review} approval={approval} />}
    </section>
  );
}

/** What it says in a sentence, and how many notes are answered. */
export function ApprovalWords({ approval: { words, answers, error } }: { approval: PlayerApproval }) {
  return (
    <>
      {error && <Notice kind="error">{error}.</Notice>}
      <p class="approval-words" id="approval-words" role="status">
        {words}
      </p>
      {answers && (
        <p>
          <WordsOf answers={answers} />
        </p>
      )}
    </>
  );
}

/** How many notes are answered. */
export const WordsOf = ({ answers }: Pick<PlayerApproval, "answers">) => (
  <a href="#answers" id="answers-words">
    {answers}
  </a>
);

type Asking = { review: PlayerReview; approval: Pick<PlayerApproval, "action" | "longest" | "draft"> };

/** Asks about a track of a list: one line until it is opened. */
export function RowApproval({ review, approval }: Asking) {
  const { trackId, label, verdict } = review;
  const draft = draftOf(approval, review);
  return (
    <details class="track-approval" id={`approval-${trackId}`} open={draft !== undefined}>
      <summary>{verdict?.words ?? `Approve ${label}, or ask for changes`}</summary>
      <Said verdict={verdict} />
      <ReviewForms review={review} approval={approval} />
    </details>
  );
}

/** What a track's page asks, below the words; folded once something was said. */
export function ApprovalRest({ review, approval }: Asking) {
  const { verdict, trackId } = review;
  const forms = <ReviewForms review={review} approval={approval} />;
  return (
    <div id={`approval-${trackId}`}>
      <Said verdict={verdict} />
      {verdict ? (
        <details open={draftOf(approval, review) !== undefined}>
          <summary>Change your answer</summary>
          {forms}
        </details>
      ) : (
        forms
      )}
    </div>
  );
}

const Said = ({ verdict }: Pick<PlayerReview, "verdict">) =>
  verdict?.text ? <p class="approval-said">“{verdict.text}”</p> : null;

const draftOf = ({ draft }: Pick<PlayerApproval, "draft">, { versionId }: PlayerReview) =>
  draft?.id === versionId ? draft.text : undefined;

/** The forms of a verdict. They are two, so that the Enter key after some words never approves. */
function ReviewForms({ review, approval }: Asking) {
  return (
    <div class="review">
      <form method="post" action={approval.action} class="review-form">
        <ReviewFields review={review} state="approved" />
        <Button>Approve</Button>
      </form>
      <form method="post" action={approval.action} class="review-form">
        <ReviewFields review={review} state="changes" />
        <LineField label="What should change?" value={draftOf(approval, review)} longest={approval.longest} />
        <Button kind="secondary">Ask for changes</Button>
      </form>
    </div>
  );
}

/** A line of text, of which a page has several. */
const LineField = ({
  label,
  value = "",
  longest,
}: {
  label: string;
  value: string | undefined;
  longest: number;
}) => (
  <label class="field">
    <span>{label}</span>
    <input name="text" autocomplete="off" maxLength={longest} value={value} />
  </label>
);

function ReviewFields({ review, state }: { review: PlayerReview; state: "approved" | "changes" }) {
  const { trackId, versionId, proof } = review;
  return (
    <>
      <input type="hidden" name="e" value={proof.e} />
      <input type="hidden" name="s" value={proof.s} />
      <input type="hidden" name="track" value={trackId} />
      <input type="hidden" name="version" value={versionId} />
      <input type="hidden" name="state" value={state} />
    </>
  );
}

/** The recipient's notes on earlier versions: each is heard in both versions, and is right or not. */
export function Answers({ approval }: { approval: PlayerApproval }) {
  const { notes, earlier } = approval;
  if (notes.length === 0) return null;
  return (
    <section class="comments" id="answers" aria-labelledby="answers-title">
      <h2 id="answers-title">Your notes on earlier versions</h2>
      {earlier.map((version) => (
        <span key={version.versionId} hidden {...earlierData(version)} />
      ))}
      <ol class="comment-list" id="answer-list">
        {notes.map((note) => (
          <AnswerItem key={note.id} note={note} {...approval} />
        ))}
      </ol>
    </section>
  );
}

/** The data that the script reads about an earlier version. */
function earlierData({ versionId, label, sources, waveformPath, durationSec }: EarlierVersion) {
  const [first, second] = sources;
  return {
    "data-earlier": versionId,
    "data-label": label,
    "data-src": first?.path,
    "data-type": second && first?.type,
    "data-else": second?.path,
    "data-wave": waveformPath,
    "data-seconds": durationSec ?? undefined,
  };
}

/** A note with what was said to it, and what its writer may say of the answer. */
export function AnswerItem({
  note,
  longest,
  draft,
}: { note: ReviewedNote } & Pick<PlayerApproval, "longest" | "draft">) {
  const { id, action, proof, nowVersionId } = note;
  return (
    <CommentItem comment={note}>
      <Hearing note={note} />
      <form method="post" action={action} class="answer-form">
        <input type="hidden" name="e" value={proof.e} />
        <input type="hidden" name="s" value={proof.s} />
        <input type="hidden" name="version" value={nowVersionId} />
        <LineField
          label="What is still missing?"
          value={draft?.id === id ? draft.text : undefined}
          longest={longest}
        />
        {/* The first is what the Enter key means after some words. */}
        <Button kind="secondary" name="answered" value="false">
          Still not right
        </Button>
        <Button kind="secondary" name="answered" value="true">
          This is right
        </Button>
      </form>
    </CommentItem>
  );
}

/** Plays the note's passage in the version that it is about, and in the one that plays now. */
function Hearing({ note: { id, trackId, old, now, whyNot, seconds } }: { note: ReviewedNote }) {
  const why = whyNot && `why-${id}`;
  return (
    <>
      <p class="hearing needs-script" data-hear={trackId} data-for={seconds} data-back={now?.fromSec ?? 0}>
        <button
          type="button"
          class="button secondary"
          data-old={old?.versionId}
          data-from={old?.fromSec}
          data-gain={old?.gainDb}
          disabled={!old}
          aria-describedby={why}
        >
          Play old
        </button>
        <button
          type="button"
          class="button secondary"
          data-from={now?.fromSec}
          data-gain={now?.gainDb}
          disabled={!now}
        >
          Play new
        </button>
      </p>
      {whyNot && (
        <p class="soft" id={why}>
          {whyNot}
        </p>
      )}
      <noscript>
        {[old && { ...old, name: "Old" }, now && { ...now, name: "New" }].map(
          (side) =>
            side && (
              <p key={side.name} class="hearing">
                {side.name}{" "}
                {/* biome-ignore lint/a11y/useMediaCaption: there are no captions for the music */}
                <audio
                  controls
                  preload="none"
                  src={side.plainPath}
                  aria-label={`${side.name} ${clock(side.fromSec)}`}
                />
              </p>
            ),
        )}
      </noscript>
    </>
  );
}
