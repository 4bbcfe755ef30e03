/** @jsxRuntime automatic @jsxImportSource preact */
import { query, useQuery } from "../../api/queries.ts";
import { ANSWER_LOOKS, ANSWER_WORDS, ANSWERS_CHANGE, songOf } from "../../share/answers.ts";
import { when, wholeTime } from "../../ui/dates.ts";
import { Way } from "../../ui/way.tsx";
import type { Link } from "./state.ts";

const MAX_SHOWN = 200;

/** What the recipient of a link answered, track by track. */
export function LinkAnswers({ link: { id, answer } }: { link: Link }) {
  const asked = query("/app/answers", { query: { shareId: id, limit: MAX_SHOWN } }, ANSWERS_CHANGE);
  const answers = useQuery(answer === null ? null : asked).data?.data ?? [];
  if (answers.length === 0) return null;
  return (
    <section class="link-answers" aria-labelledby="link-answers">
      <h2 id="link-answers">Answered</h2>
      <ul aria-labelledby="link-answers">
        {answers.map((each) => (
          <li key={each.id}>
            <span class={`mark ${ANSWER_LOOKS[each.answer]}`}>{ANSWER_WORDS[each.answer]}</span>{" "}
            <Way path={`/library/tracks/${each.trackId}`}>{songOf(each)}</Way>
            {each.text !== null && `: “${each.text}”`}
            <span class="soft" title={wholeTime(each.at)}>
              {" "}
              {when(each.at)}
              {each.done && ", done"}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <Way path="/library/inbox?show=answers">All answers</Way>
      </p>
    </section>
  );
}
