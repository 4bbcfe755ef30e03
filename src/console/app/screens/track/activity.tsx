/** @jsxRuntime automatic @jsxImportSource preact */
import "./links.css";
import { can } from "../../api/library.ts";
import { query, useQuery } from "../../api/queries.ts";
import { clock } from "../../player/time.ts";
import { ANSWER_WORDS, ANSWERS_CHANGE, type Answer, versionOf, whoOf } from "../../share/answers.ts";
import { ListenedNote } from "../../share/listened.tsx";
import { day, wholeTime } from "../../ui/dates.ts";
import { labelOf } from "./names.ts";
import {
  type Comment,
  type Link,
  linksQuery,
  newestCommentsQuery,
  type Review,
  reviewsQuery,
  statsQuery,
  submissionsQuery,
  type Track,
  type Version,
} from "./queries.ts";

type Happened = { key: string; at: string; text: string };

const COUNTS = [
  ["plays", "Plays"],
  ["views", "Views"],
  ["downloads", "Downloads"],
  ["comments", "Comments"],
  ["saved", "Saved"],
] as const;
const TIME = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });

type ActivityProps = { track: Track; versions: readonly Version[] };

/** What happened around the track, newest first, by day. */
export function Activity({ track, versions }: ActivityProps) {
  const comments = useQuery(newestCommentsQuery(track.id)).data?.data ?? [];
  const reviews = useQuery(reviewsQuery(track.id)).data?.data ?? [];
  const stats = useQuery(can("read:analytics") ? statsQuery(track.id) : null).data?.data.items[0]?.stats;
  const links = useQuery(can("read:shares") ? linksQuery(track.id) : null).data?.data ?? [];
  const answers = useQuery(can("read:shares") ? answersQuery(track.id) : null).data?.data ?? [];
  const sent = useQuery(submissionsQuery(track.id)).data?.data;
  const submissions = sent && "submissions" in sent ? sent.submissions : [];
  const all: Happened[] = [
    ...versions.map((version) => versionWords(version)),
    ...comments.flatMap(commentWords),
    ...reviews.map((review) => reviewWords(review, versions)),
    ...links.flatMap(linkWords),
    ...answers.map(answerWords),
    ...submissions.map(({ id, createdAt, briefName }) => ({
      key: id,
      at: createdAt,
      text: `Submitted to ${briefName}`,
    })),
  ];
  const days = Map.groupBy(
    all.toSorted((one, other) => other.at.localeCompare(one.at)),
    ({ at }) => day(at),
  );
  return (
    <div class="activity">
      {stats && (
        <dl class="facts-line activity-totals">
          {COUNTS.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{stats[name]}</dd>
            </div>
          ))}
        </dl>
      )}
      {[...days].map(([name, items]) => (
        <section key={name}>
          <h2 class="activity-day">{name}</h2>
          <ul aria-label={name}>
            {items.map(({ key, at, text }) => (
              <li key={key} class="activity-item">
                <time dateTime={at} title={wholeTime(at)}>
                  {TIME.format(Date.parse(at))}
                </time>
                <span>{text}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {links.some(({ lastHeardAt }) => lastHeardAt !== null) && <ListenedNote />}
    </div>
  );
}

const versionWords = (version: Version): Happened => ({
  key: version.id,
  at: version.createdAt,
  text: version.order === 0 ? "Uploaded" : `${labelOf(version)} was added`,
});

function commentWords(comment: Comment): Happened[] {
  const { id, createdAt, author, parentId, text, deletedAt, answeredAt, answeredBy } = comment;
  const where = parentId === null && comment.positionSec !== null ? ` at ${clock(comment.positionSec)}` : "";
  const did = parentId === null ? "commented" : "replied";
  const said =
    deletedAt === null ? { key: id, at: createdAt, text: `${author.name} ${did}${where}: ${text}` } : [];
  if (answeredAt === null) return [said].flat();
  const whose = answeredBy?.name === author.name ? "their note" : `the note by ${author.name}`;
  const answer = `${answeredBy?.name || "Someone"} marked ${whose}${where} answered`;
  return [said, { key: `${id} answered`, at: answeredAt, text: answer }].flat();
}

function reviewWords({ id, at, versionId, state, by, text }: Review, versions: readonly Version[]): Happened {
  const version = versions.find((each) => each.id === versionId);
  const label = version ? labelOf(version) : "a version";
  const did = state === "approved" ? `approved ${label}` : `asked for changes to ${label}`;
  return { key: id, at, text: `${by.name} ${did}${text === null ? "" : `: ${text}`}` };
}

const answersQuery = (trackId: string) =>
  query("/app/answers", { query: { trackId, limit: 200 } }, ANSWERS_CHANGE);

function answerWords(answer: Answer): Happened {
  const { id, at, text } = answer;
  const version = versionOf(answer);
  const about = version === undefined ? "" : ` about ${version}`;
  const said = `${ANSWER_WORDS[answer.answer]}${text === null ? "" : `, “${text}”`}`;
  return { key: id, at, text: `${whoOf(answer)} answered${about}: ${said}` };
}

function linkWords({ id, recipient, createdAt, revokedAt, lastHeardAt, plays }: Link): Happened[] {
  const whose = recipient === null ? "Public link" : `Link for ${recipient}`;
  const who = recipient ?? "Someone";
  const listened =
    plays > 1 ? `listened, ${plays} times in all` : plays === 1 ? "listened" : "listened briefly";
  return [
    { key: id, at: createdAt, text: `${whose} was made` },
    ...(revokedAt === null ? [] : [{ key: `${id} revoked`, at: revokedAt, text: `${whose} was revoked` }]),
    ...(lastHeardAt === null ? [] : [{ key: `${id} heard`, at: lastHeardAt, text: `${who} ${listened}` }]),
  ];
}
