import type { Deps } from "../../../../kernel/deps.ts";
import type { PlayerPitch } from "../../../../pages/player/model.ts";
import { proofOf } from "../access/proofs.ts";
import { type AnswerRow, countAnswered } from "../answers/queries.ts";
import { ANSWERS, type Answer, MAX_ANSWER_NOTE } from "../answers/shapes.ts";
import { nameOf } from "../mails/recipient.ts";
import { countTracks } from "../page-queries.ts";
import type { ShareRow } from "../queries.ts";
import type { Viewer } from "./approval-views.ts";
import type { MusicSource, SharedTrack } from "./player-data.ts";
import { pageHref } from "./thread-views.ts";

/** What the buttons say. */
const WORDS: Readonly<Record<Answer, string>> = {
  interested: "Interested",
  pass: "Pass",
  instrumental: "Need instrumental",
  terms: "Ask for terms",
};

/** The tracks that a part of a page asks about, and who asks. */
export type PitchedTracks = {
  tracks: readonly Pick<SharedTrack, "id" | "versionId">[];
  after: string | null;
  ownerName: string;
};

/** Returns what a link's page asks about its tracks, or what was answered; undefined when it asks nothing. */
export function pitchOf(
  deps: Deps,
  share: ShareRow,
  source: MusicSource,
  { tracks, after, ownerName }: PitchedTracks,
  { memberId }: Viewer,
): PlayerPitch | undefined {
  const { answers } = source;
  if (!answers || tracks.length === 0) return undefined;
  const isList = share.entity === "playlist";
  const [first] = tracks;
  const only = isList || !first ? undefined : answers.get(first.id);
  return {
    words: wordsFor(deps, share, { ownerName, only, isMember: memberId !== undefined }),
    action: pageHref(deps, { pagePath: `${source.pagePath}/answer` }, { after }),
    longest: MAX_ANSWER_NOTE,
    answers: ANSWERS.map((answer) => ({ answer, words: WORDS[answer] })),
    isReadOnly: memberId !== undefined,
    tracks: new Map(
      tracks.map(({ id, versionId }) => {
        const row = answers.get(id);
        const said = row && {
          words: isList ? answeredWords(ownerName, row) : undefined,
          text: row.text,
        };
        return [id, { versionId, proof: proofOf(deps, share, "answer", versionId), said }];
      }),
    ),
  };
}

const answeredWords = (ownerName: string, { answer }: AnswerRow) =>
  `${ownerName} has your answer: ${WORDS[answer]}.`;

type Asker = { ownerName: string; only: AnswerRow | undefined; isMember: boolean };

/** Members of the library do not answer for the recipient. */
function wordsFor(deps: Deps, share: ShareRow, { ownerName, only, isMember }: Asker): string {
  const recipient = nameOf(share.recipient) || "The recipient";
  if (isMember) return only ? `${recipient} answered: ${WORDS[only.answer]}.` : `${recipient} answers here.`;
  if (share.entity === "playlist") return listWords(deps, share, ownerName);
  return only ? answeredWords(ownerName, only) : `${ownerName} asks for your answer.`;
}

/** `Mara asks for your answer to each of these 12 tracks.`, then `Mara has your answer to 3 of 12 tracks.` */
function listWords({ db }: Deps, share: ShareRow, ownerName: string): string {
  const count = countTracks(db, share);
  const answered = countAnswered(db, share);
  if (answered === 0) {
    const what = count === 1 ? "this track" : `each of these ${count} tracks`;
    return `${ownerName} asks for your answer to ${what}.`;
  }
  return `${ownerName} has your answer to ${answered} of ${count} ${count === 1 ? "track" : "tracks"}.`;
}
