/** @jsxRuntime automatic @jsxImportSource preact */
import { query, useQuery } from "../../api/queries.ts";
import { href } from "../../first-data.ts";
import { when, wholeTime } from "../../ui/dates.ts";
import type { Candidate, Leak } from "./leak.ts";
import { chanceWords, deliveredWords, methodWords, nameOf, nothingWords, partWords } from "./words.ts";

/** Whose copy it is, or what it means that nobody is named. */
export function Answer({ name, leak }: { name: string; leak: Leak }) {
  const { says, candidates } = leak;
  if (says !== "named") return <Nobody name={name} leak={leak} />;
  return (
    <section class="leak" aria-label="Whose copy it is">
      <p class="soft">{name}</p>
      <div role="status">
        <h2 class="leak-name">
          {candidates.length > 1 && differs(candidates) ? "Copies of " : "The copy of "}
          {[...new Set(candidates.map(nameOf))].join(" and ")}
        </h2>
      </div>
      <Where leak={leak} />
      {candidates.map((candidate) => (
        <CandidateFacts
          key={`${candidate.shareId ?? candidate.packageId} ${candidate.recipient} ${candidate.kind}`}
          candidate={candidate}
          leak={leak}
        />
      ))}
      {[...new Set(candidates.map(({ shareId }) => shareId))].map(
        (shareId) => shareId !== null && <LinkActivity key={shareId} shareId={shareId} />,
      )}
      {candidates.some(({ packageId }) => packageId !== null) && (
        <a href={href("/library/deliveries")}>All deliveries</a>
      )}
      <p class="leak-proves">
        <b>What this proves:</b> the file was made from the copy that went to{" "}
        {nameOf(candidates[0] as Candidate)}. It does not prove who passed it on: links and files are
        forwarded, and accounts are shared or broken into. Ask before you accuse; docs/watermark.md says how
        to read a match.
      </p>
    </section>
  );
}

const differs = (candidates: readonly Candidate[]) => new Set(candidates.map(nameOf)).size > 1;

function Nobody({ name, leak }: { name: string; leak: Leak }) {
  const { heading, words } = nothingWords(
    leak.says === null || leak.says === "named" ? "no_mark" : leak.says,
  );
  return (
    <section class="leak" aria-label="Whose copy it is">
      <p class="soft">{name}</p>
      <div role="status">
        <h2 class="leak-name">{heading}</h2>
      </div>
      <Where leak={leak} />
      <p class="leak-proves">{words}</p>
    </section>
  );
}

/** The part of which track it is. */
function Where({ leak: { trackId, title, excerpt, at } }: { leak: Leak }) {
  if (trackId === null) return null;
  return (
    <p>
      {excerpt && `${partWords(excerpt)} of `}
      {title === null ? (
        "a track that is no longer there"
      ) : (
        <a href={href(`/library/tracks/${trackId}`)}>{title}</a>
      )}
      {at && `, at ${partWords(at)} in the file`}
    </p>
  );
}

function CandidateFacts({ candidate, leak: { method } }: { candidate: Candidate; leak: Leak }) {
  const { score } = candidate;
  return (
    <dl class="facts-line leak-facts">
      <div>
        <dt>Delivered</dt>
        <dd>{deliveredWords(candidate)}</dd>
      </div>
      <div>
        <dt>Chance that this names the wrong one</dt>
        <dd>{chanceWords(candidate)}</dd>
      </div>
      {score !== null && (
        <div>
          <dt>Score</dt>
          <dd title="At most 22.6">{score.toFixed(1)}</dd>
        </div>
      )}
      {method !== null && (
        <div>
          <dt>How it was found</dt>
          <dd>{methodWords(method)}</dd>
        </div>
      )}
    </dl>
  );
}

const HAPPENED: Readonly<Record<string, string>> = {
  shares: "Link made",
  views: "Opened",
  plays: "Played",
  downloads: "Downloaded",
  saved: "Saved",
  comments: "Commented",
};
const SHOWN = 8;

/** What happened on the link last, so that one can see who had it open when. */
function LinkActivity({ shareId }: { shareId: string }) {
  const { data, error } = useQuery(
    query(
      "/app/shares/{id}/activity",
      { path: { id: shareId }, query: { limit: SHOWN } },
      { activity: "all" },
    ),
  );
  if (error) return <p class="soft">The link is no longer there.</p>;
  if (!data) return null;
  return (
    <div class="leak-activity">
      <h3>On the link</h3>
      {data.data.length === 0 && <p class="soft">Nothing has happened yet.</p>}
      <ul>
        {data.data.map(({ id, metric, sentAt }) => (
          <li key={id}>
            {HAPPENED[metric] ?? metric}{" "}
            <time dateTime={sentAt} title={wholeTime(sentAt)}>
              {when(sentAt)}
            </time>
          </li>
        ))}
      </ul>
      <a href={href(`/library/links/${shareId}`)}>All about the link</a>
    </div>
  );
}
