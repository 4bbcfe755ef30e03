/** @jsxRuntime automatic @jsxImportSource preact */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { can } from "../../../api/library.ts";
import { place, setSearch } from "../../../router.ts";
import { ANSWER_LOOKS, ANSWER_WORDS, type Answer, songOf, whoOf } from "../../../share/answers.ts";
import { tooltip } from "../../../ui/actions.ts";
import { Button } from "../../../ui/button.tsx";
import { when, wholeTime } from "../../../ui/dates.ts";
import { Empty } from "../../../ui/empty.tsx";
import { Check } from "../../../ui/field.tsx";
import { useActions } from "../../../ui/keys.ts";
import { Problem } from "../../../ui/problem.tsx";
import { undoLast } from "../../../ui/toast.tsx";
import { Way } from "../../../ui/way.tsx";
import { finish, nameOf, reopen, replyTo, undos, useAnswers } from "./answers.ts";
import { shareInstrumental } from "./instrumental.tsx";
import "./answers.css";

/** What recipients of links answered, newest first, with what to do about it. */
export function Answers() {
  const isAll = place.value.search.get("done") === "all";
  const { items, error, retry } = useAnswers(isAll);
  useEffect(() => undos.forget, []);
  return (
    <>
      <div class="inbox-tools">
        <Check isOn={isAll} onChange={(isOn) => setSearch({ done: isOn ? "all" : undefined })}>
          Show those that are done
        </Check>
      </div>
      <Problem error={error} onRetry={retry} />
      {items?.length === 0 && <Nothing isAll={isAll} />}
      {items && items.length > 0 && <AnswerList answers={items} />}
    </>
  );
}

function Nothing({ isAll }: { isAll: boolean }) {
  return (
    <Empty heading={isAll ? "No answers yet" : "No answers wait for you"}>
      <p class="soft">
        Make a link for somebody with “Ask for an answer”: below the player they press Interested, Pass, Need
        instrumental or Ask for terms, and it arrives here.
      </p>
      <Way class="button secondary" path="/library/links">
        Go to the links
      </Way>
    </Empty>
  );
}

/** The list "Answers". Keys go through it by the focus, which stays in it when an answer leaves. */
function AnswerList({ answers }: { answers: readonly Answer[] }) {
  const list = useRef<HTMLUListElement>(null);
  const currentId = useSignal<string | undefined>(undefined);
  const at = answers.findIndex(({ id }) => id === currentId.value);
  const current = answers[at];
  const goTo = (answer: Answer | undefined) => {
    if (!answer) return;
    currentId.value = answer.id;
    list.current?.querySelector<HTMLElement>(`[data-id="${answer.id}"]`)?.focus();
  };
  const done = (answer: Answer) => {
    const index = answers.indexOf(answer);
    goTo(answers[index + 1] ?? answers[index - 1]);
    finish(answer);
  };
  const reply = current && replyTo(current);
  useActions(
    {
      nextRow: () => goTo(answers[at + 1]),
      previousRow: () => goTo(answers[at - 1]),
      undo: () => undos.undoNewest() || undoLast(),
      ...(current && !current.done && { answerDone: () => done(current) }),
      ...(reply !== undefined && { thank: () => window.location.assign(reply) }),
    },
    { ...(current && { thank: `Reply to ${whoOf(current)}` }) },
  );
  return (
    <ul ref={list} class="answers" aria-label="Answers">
      {answers.map((answer) => (
        <li key={answer.id}>
          <AnswerItem
            answer={answer}
            onFocus={() => (currentId.value = answer.id)}
            onDone={() => done(answer)}
          />
        </li>
      ))}
    </ul>
  );
}

type ItemProps = { answer: Answer; onFocus: () => void; onDone: () => void };

function AnswerItem({ answer, onFocus, onDone }: ItemProps) {
  const { id, shareId, trackId, playlistName, text, at, done } = answer;
  return (
    <article class="answer" aria-label={nameOf(answer)} data-id={id} tabIndex={-1} onFocusIn={onFocus}>
      <p class="answer-line">
        <strong>{whoOf(answer)}</strong> ·{" "}
        <span class={`mark ${ANSWER_LOOKS[answer.answer]}`}>{ANSWER_WORDS[answer.answer]}</span> ·{" "}
        <Way path={`/library/tracks/${trackId}`}>{songOf(answer)}</Way>
        {text !== null && <span class="answer-text"> · “{text}”</span>}
      </p>
      <p class="soft">
        <span title={wholeTime(at)}>{when(at)}</span>, through{" "}
        <Way path={`/library/links/${shareId}`}>the link for {whoOf(answer)}</Way>
        {playlistName !== null && ` to ${playlistName}`}
        {done && " · Done"}
      </p>
      <ItemTools answer={answer} onDone={onDone} />
    </article>
  );
}

function ItemTools({ answer, onDone }: Pick<ItemProps, "answer" | "onDone">) {
  const reply = replyTo(answer);
  return (
    <div class="buttons">
      {can("update:shares") &&
        (answer.done ? (
          <Button look="quiet small" run={() => reopen(answer)}>
            Not done
          </Button>
        ) : (
          <Button look="secondary small" title={tooltip("answerDone")} run={onDone}>
            Done
          </Button>
        ))}
      {reply !== undefined && (
        <a class="button secondary small" href={reply} title={tooltip("thank", "Reply")}>
          Reply
        </a>
      )}
      {can("create:shares") && answer.answer !== "pass" && (
        <Button
          look={answer.answer === "instrumental" ? "secondary small" : "quiet small"}
          run={() => shareInstrumental(answer)}
        >
          Make an instrumental link
        </Button>
      )}
    </div>
  );
}
